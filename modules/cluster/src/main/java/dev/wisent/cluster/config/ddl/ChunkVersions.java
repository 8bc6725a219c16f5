package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.operation.FindRequest;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionDocument;

/** The versions of a collection's chunks. */
final class ChunkVersions {
  private static final RawDocument NEWEST_FIRST = RawDocument.parse("{lastmod: -1}");

  private ChunkVersions() {}

  /** The newest of all chunks. */
  static ChunkVersion newest(CatalogChange change, CollectionDocument collection) {
    return newest(change, collection, of(collection));
  }

  /**
   * The newest that has the major number of a shard. The shard knows of no other: it hears of
   * migrations, which raise that number, and not of splits and merges.
   */
  static ChunkVersion newestOf(CatalogChange change, CollectionDocument collection, String shard) {
    ChunkVersion own = newest(change, collection, of(collection).appendString("shard", shard));
    BsonBuilder sameNumber = of(collection).startDocument("lastmod");
    sameNumber.appendTimestamp("$lt", own.nextMajor().combined()).end();
    return newest(change, collection, sameNumber);
  }

  private static BsonBuilder of(CollectionDocument collection) {
    return new BsonBuilder().appendUuid("uuid", collection.uuid());
  }

  private static ChunkVersion newest(
      CatalogChange change, CollectionDocument collection, BsonBuilder filter) {
    RawDocument newest =
        change
            .find(
                CatalogReads.CHUNKS,
                new FindRequest.Builder().filter(filter.toDocument()).sort(NEWEST_FIRST).limit(1))
            .getFirst();
    return ChunkVersion.of(
        collection.epoch(), collection.timestamp(), newest.get("lastmod").asInt64());
  }
}
