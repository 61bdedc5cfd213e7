// SPDX-License-Identifier: Apache-2.0

package orders;

import java.util.List;
import java.util.Map;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** What is in PostgreSQL: each method holds a connection of the pool until it ends, as transactions do. */
@Repository
@Transactional
class Store {
	private final JdbcTemplate sql;
	/** Milliseconds for which each transaction waits without asking anything, as one that asks a payment service. */
	private final long hold;

	Store(JdbcTemplate sql, @Value("${hold}") long hold) {
		this.sql = sql;
		this.hold = hold;
	}

	Product product(int id) throws InterruptedException {
		held();
		return sql.queryForObject("SELECT id, category, name, description, cents, stock FROM products WHERE id = ?",
				new DataClassRowMapper<>(Product.class), id);
	}

	String customer(int id) throws InterruptedException {
		held();
		return sql.queryForObject("SELECT name FROM customers WHERE id = ?", String.class, id);
	}

	List<Map<String, Object>> latest(int customer) {
		return sql.queryForList("SELECT o.id, o.note, sum(i.number * i.cents) AS cents FROM items i JOIN (SELECT id, note"
				+ " FROM orders WHERE customer = ? ORDER BY id DESC LIMIT 10) o ON o.id = i.order_id GROUP BY o.id, o.note",
				customer);
	}

	List<Item> items(int order) throws InterruptedException {
		held();
		return sql.query("SELECT product, number, cents FROM items WHERE order_id = ?",
				new DataClassRowMapper<>(Item.class), order);
	}

	int buy(int customer, Product p) throws InterruptedException {
		int order = sql.queryForObject("INSERT INTO orders (customer, note) VALUES (?, 'bought') RETURNING id",
				Integer.class, customer);
		sql.update("INSERT INTO items VALUES (?, ?, 1, ?)", order, p.id(), p.cents());
		held();
		sql.update("UPDATE products SET stock = stock - 1 WHERE id = ?", p.id());
		return order;
	}

	List<Long> sold(int category) {
		return sql.queryForList("SELECT sum(i.number * i.cents) FROM items i JOIN products p ON p.id = i.product"
				+ " WHERE p.category = ? GROUP BY i.order_id / 1000 ORDER BY i.order_id / 1000", Long.class, category);
	}

	List<Integer> bought(int customer) {
		return sql.queryForList("SELECT i.product FROM orders o JOIN items i ON i.order_id = o.id WHERE o.customer = ?"
				+ " ORDER BY o.id DESC LIMIT 20", Integer.class, customer);
	}

	List<Integer> search(String word) {
		return sql.queryForList("SELECT id FROM orders WHERE note LIKE ? LIMIT 10", Integer.class, "%" + word + "%");
	}

	private void held() throws InterruptedException {
		if (hold > 0) {
			Thread.sleep(hold);
		}
	}
}
