// SPDX-License-Identifier: Apache-2.0

package orders;

import java.util.List;
import java.util.Map;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What can be asked of the service. */
@RestController
class Pages {
	private final Store store;
	private final Products products;
	private final Rates rates;
	private final Advice advice;
	private final Outside outside;

	Pages(Store store, Products products, Rates rates, Advice advice, Outside outside) {
		this.store = store;
		this.products = products;
		this.rates = rates;
		this.advice = advice;
		this.outside = outside;
	}

	@GetMapping("/product")
	Product product(@RequestParam int id) throws Exception {
		outside.asked();
		return products.find(id).at(rates.now());
	}

	/** The latest orders of a customer. */
	@GetMapping("/customer")
	Map<String, Object> customer(@RequestParam int id) throws Exception {
		outside.asked();
		return Map.of("name", store.customer(id), "orders", store.latest(id));
	}

	@GetMapping("/order")
	Map<String, Object> order(@RequestParam int id) throws Exception {
		outside.asked();
		List<Item> items = store.items(id);
		return Map.of("items", items, "products", products.all(items.stream().map(Item::product).toList()));
	}

	@PostMapping("/buy")
	Map<String, Object> buy(@RequestParam int customer, @RequestParam int product) throws Exception {
		outside.asked();
		Product p = products.find(product).at(rates.now());
		int order = store.buy(customer, p);
		products.forget(product);
		return Map.of("order", order);
	}

	/** What a category sold, month by month, and what it is to sell: dear for the database and for the service. */
	@GetMapping("/report")
	Map<String, Object> report(@RequestParam int category) {
		List<Long> sold = store.sold(category);
		return Map.of("sold", sold, "forecast", advice.forecast(sold));
	}

	/** Products like those that a customer bought: computed here. */
	@GetMapping("/advice")
	List<Integer> advice(@RequestParam int customer) {
		return advice.like(customer);
	}

	/** Orders with a word in their note: the database reads all of them. */
	@GetMapping("/search")
	List<Integer> search(@RequestParam String word) {
		return store.search(word);
	}
}
