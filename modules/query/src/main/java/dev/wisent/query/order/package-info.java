/**
 * The order of array elements: {@link dev.wisent.query.order.ElementOrder} sorts them for {@code
 * $push} and {@code $sortArray}. Orders are immutable.
 */
package dev.wisent.query.order;
