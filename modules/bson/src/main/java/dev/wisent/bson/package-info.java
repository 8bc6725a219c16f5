/**
 * Documents as bytes: views that read them in place, a builder that writes them, the order of
 * values across types, and index keys whose byte order is that order.
 *
 * <p>{@link dev.wisent.bson.RawDocument} and {@link dev.wisent.bson.RawValue} are slices of a byte
 * array. Nothing here checks structure while reading: bytes from outside pass {@link
 * dev.wisent.bson.DocumentValidator} once, at the door. Views are immutable as long as nothing
 * writes to the array, and may be shared between threads; cursors and builders belong to one
 * thread.
 *
 * <p>{@link dev.wisent.bson.ValueOrder} is the one order of values; {@link
 * dev.wisent.bson.ValueKey} is its equality for hash sets, and {@link dev.wisent.bson.IndexKeyV1}
 * writes it into bytes. Property tests tie the three together.
 *
 * <p>The types of {@code org.bson} are for tests, tools and cold paths.
 */
package dev.wisent.bson;
