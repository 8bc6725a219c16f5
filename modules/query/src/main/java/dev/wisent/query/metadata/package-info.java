/**
 * What is known of a document besides its fields, for {@code $meta}: {@link
 * dev.wisent.query.metadata.MetaType} names it, {@link dev.wisent.query.metadata.Metadata} finds it
 * on a document and {@link dev.wisent.query.metadata.MetadataWriter} puts it there. Only documents
 * of queries that ask for it carry any.
 *
 * <p>Immutable but for the writer, which belongs to one thread.
 */
package dev.wisent.query.metadata;
