// SPDX-License-Identifier: Apache-2.0

package orders;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Component;

/** Products by way of Redis: all threads share one connection of Lettuce's. */
@Component
class Products {
	private static final Duration KEPT = Duration.ofMinutes(5);

	private final Store store;
	private final StringRedisTemplate redis;
	private final ObjectMapper json;

	Products(Store store, StringRedisTemplate redis, ObjectMapper json) {
		this.store = store;
		this.redis = redis;
		this.json = json;
	}

	Product find(int id) throws Exception {
		return known(id, redis.opsForValue().get(key(id)));
	}

	List<Product> all(List<Integer> ids) throws Exception {
		List<String> kept = redis.opsForValue().multiGet(ids.stream().map(Products::key).toList());
		List<Product> out = new ArrayList<>();
		for (int i = 0; i < ids.size(); i++) {
			out.add(known(ids.get(i), kept.get(i)));
		}
		return out;
	}

	void forget(int id) {
		redis.delete(key(id));
	}

	private Product known(int id, String kept) throws Exception {
		if (kept != null) {
			return json.readValue(kept, Product.class);
		}
		Product p = store.product(id);
		redis.opsForValue().set(key(id), json.writeValueAsString(p), KEPT);
		return p;
	}

	private static String key(int id) {
		return "product:" + id;
	}
}
