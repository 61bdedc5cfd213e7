// SPDX-License-Identifier: Apache-2.0

package orders;

/** A product as the database and the cache have it. */
record Product(int id, int category, String name, String description, int cents, int stock) {
	/** at is the product with its price in another currency. */
	Product at(double rate) {
		return new Product(id, category, name, description, (int) Math.round(cents * rate), stock);
	}
}
