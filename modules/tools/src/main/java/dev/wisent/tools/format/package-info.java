/**
 * The bytes of dumps, as MongoDB's tools write and read them.
 *
 * <p>A directory has {@code DATABASE/COLLECTION.bson} with the documents one after the other and
 * {@code COLLECTION.metadata.json} ({@link dev.wisent.tools.format.CollectionMetadata}); {@link
 * dev.wisent.tools.format.DumpFileNames} says how names are escaped.
 *
 * <p>An archive is one stream. All numbers are little-endian; {@code end} is {@code ff ff ff ff},
 * which no document begins with:
 *
 * <pre>
 * archive   = 6d e2 99 81, header, metadata*, end, block*
 * header    = {concurrent_collections: int32, version: "0.1", server_version: text, tool_version: text}
 * metadata  = {db: text, collection: text, metadata: JSON, size: int32, type: text}
 * block     = {db, collection, EOF: false, CRC: 0}, document*, end
 *           | {db, collection, EOF: true, CRC: int64}, end
 * </pre>
 *
 * <p>The CRC is CRC-64/XZ over all documents of the collection. An archive of ours has two more
 * fields at the begin of a block of documents, {@code bytes} and {@code blockCRC}, which other
 * readers skip: a damaged block is found before its first document is used.
 *
 * <p>Threading: {@link dev.wisent.tools.format.ArchiveWriter} is thread-safe; all others belong to
 * one thread.
 */
package dev.wisent.tools.format;
