// SPDX-License-Identifier: Apache-2.0

package orders;

/** A line of an order. */
record Item(int product, int number, int cents) {
}
