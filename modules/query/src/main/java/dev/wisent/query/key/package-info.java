/**
 * From documents to index keys, as MongoDB's indexes have them.
 *
 * <p>{@link dev.wisent.query.key.KeyPattern} says which paths are indexed and how; it is immutable.
 * A {@link dev.wisent.query.key.KeyExtractor} makes the encoded keys of a document and hands them
 * to a {@link dev.wisent.query.key.KeySink}; there is one for each kind of index. It keeps buffers
 * between documents and belongs to one thread.
 */
package dev.wisent.query.key;
