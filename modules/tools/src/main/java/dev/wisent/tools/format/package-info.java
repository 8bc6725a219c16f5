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
 * <p>The CRC is CRC-64/XZ over all documents of the collection. The header of an archive of ours
 * has {@code checked_blocks: true}, and each block begins with a document that ends with {@code
 * blockCRC}, over this document (with a zero in its place) and those that follow: a damaged block
 * is found before its first document is used. The header itself ends with {@code header_crc}, over
 * header and metadata, in the same way. Other readers skip these fields.
 *
 * <p>The metadata of a file that is complete have {@code data}: number, length and CRC of its
 * documents ({@link dev.wisent.tools.format.DataCheck}).
 *
 * <p>Threading: {@link dev.wisent.tools.format.ArchiveWriter} is thread-safe; all others belong to
 * one thread.
 */
package dev.wisent.tools.format;
