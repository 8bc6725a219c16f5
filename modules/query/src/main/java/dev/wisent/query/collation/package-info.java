/**
 * The order and equality of strings as languages have it.
 *
 * <p>{@link dev.wisent.query.collation.Collation} is what the rest of the server sees; null stands
 * for the simple collation everywhere, the order of bytes, so that those who use none pay nothing.
 * {@link dev.wisent.query.collation.CollationChoice} is what an operation says about it. Only
 * {@link dev.wisent.query.collation.TextCollator} and the parser know ICU, which is loaded when the
 * first collation is.
 *
 * <p>Collations may be used by several threads.
 */
package dev.wisent.query.collation;
