/**
 * From documents to index keys, as MongoDB's btree indexes have them.
 *
 * <p>{@link dev.wisent.query.key.KeyPattern} says which paths are indexed and in which direction;
 * it is immutable. {@link dev.wisent.query.key.IndexKeyExtractor} makes the encoded keys of a
 * document and hands them to a {@link dev.wisent.query.key.KeySink}; it keeps buffers between
 * documents and belongs to one thread.
 */
package dev.wisent.query.key;
