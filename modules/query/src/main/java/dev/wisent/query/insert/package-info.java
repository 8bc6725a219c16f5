/**
 * What happens to a document before it is inserted. {@link
 * dev.wisent.query.insert.InsertNormalizer} is a function; it holds nothing and may be used by any
 * thread.
 */
package dev.wisent.query.insert;
