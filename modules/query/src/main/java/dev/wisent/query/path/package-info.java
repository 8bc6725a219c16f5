/**
 * Dotted field paths and how MongoDB follows them through documents and arrays.
 *
 * <p>{@link dev.wisent.query.path.FieldPath} is a path parsed once; {@link
 * dev.wisent.query.path.PathWalk} visits the values that it leads to, on the raw bytes. Paths are
 * immutable and may be shared between threads. Nothing here knows about operators.
 */
package dev.wisent.query.path;
