package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import java.util.UUID;
import org.bson.types.ObjectId;

/**
 * A document of {@code config.collections}.
 *
 * @param epoch changes whenever the collection is sharded anew or its key is refined
 * @param timestamp when that was, as a cluster time
 * @param lastmodMillis when the document was changed
 * @param defaultCollation empty for the simple one
 * @param noBalance whether the balancer leaves the collection alone
 * @param allowMigrations false while no chunk may be moved at all
 * @param maxChunkSizeBytes 0 where the cluster's setting counts
 * @param unsplittable whether it is not sharded: it has one chunk, on any shard
 */
public record CollectionDocument(
    Namespace namespace,
    ObjectId epoch,
    long timestamp,
    long lastmodMillis,
    UUID uuid,
    RawDocument key,
    boolean unique,
    RawDocument defaultCollation,
    boolean noBalance,
    boolean allowMigrations,
    long maxChunkSizeBytes,
    boolean unsplittable) {
  /** The field that {@link #hasOldBounds} is about. */
  public static final String OLD_BOUNDS = "chunksOfOldKey";

  /** A sharded collection. */
  public CollectionDocument(
      Namespace namespace,
      ObjectId epoch,
      long timestamp,
      long lastmodMillis,
      UUID uuid,
      RawDocument key,
      boolean unique,
      RawDocument defaultCollation,
      boolean noBalance,
      boolean allowMigrations,
      long maxChunkSizeBytes) {
    this(
        namespace,
        epoch,
        timestamp,
        lastmodMillis,
        uuid,
        key,
        unique,
        defaultCollation,
        noBalance,
        allowMigrations,
        maxChunkSizeBytes,
        false);
  }

  /**
   * Whether an entry of {@code config.collections} is that of a sharded collection; others are
   * there because they are not on the primary shard of their database.
   *
   * @param stored null where there is none
   */
  public static boolean isSharded(RawDocument stored) {
    return stored != null && !DocumentFields.isTrue(stored, "unsplittable");
  }

  /**
   * Whether chunks of an entry of {@code config.collections} may still have bounds of the key that
   * its key refines. They are read as {@link ShardKeyPattern#completed} makes them, and not changed
   * until all have been completed.
   */
  public static boolean hasOldBounds(RawDocument stored) {
    return isTrue(stored, OLD_BOUNDS, false);
  }

  /** Whether chunks of an entry of {@code config.collections} may be moved. */
  public static boolean mayMigrate(RawDocument stored) {
    return isTrue(stored, "allowMigrations", true) && isTrue(stored, "permitMigrations", true);
  }

  public static CollectionDocument of(RawDocument document) {
    RawValue collation = document.get("defaultCollation");
    RawValue chunkSize = document.get("maxChunkSizeBytes");
    RawValue modified = document.get("lastmod");
    return new CollectionDocument(
        Namespace.parse(document.get("_id").asString()),
        document.get("lastmodEpoch").asObjectId(),
        document.get("timestamp").asInt64(),
        modified == null ? 0 : modified.asInt64(),
        document.get("uuid").asUuid(),
        document.get("key").asDocument().detached(),
        isTrue(document, "unique", false),
        collation == null ? RawDocument.EMPTY : collation.asDocument().detached(),
        isTrue(document, "noBalance", false),
        isTrue(document, "allowMigrations", true),
        chunkSize == null ? 0 : chunkSize.toLong(),
        isTrue(document, "unsplittable", false));
  }

  private static boolean isTrue(RawDocument document, String name, boolean otherwise) {
    RawValue value = document.get(name);
    return value == null ? otherwise : value.isTruthy();
  }

  public RawDocument toDocument() {
    var out = new BsonBuilder(256);
    out.appendString("_id", namespace.full());
    out.appendObjectId("lastmodEpoch", epoch);
    out.appendDate("lastmod", lastmodMillis);
    out.appendTimestamp("timestamp", timestamp);
    out.appendUuid("uuid", uuid);
    out.appendDocument("key", key);
    if (!defaultCollation.isEmpty()) {
      out.appendDocument("defaultCollation", defaultCollation);
    }
    out.appendBoolean("unique", unique);
    out.appendBoolean("noBalance", noBalance);
    if (!allowMigrations) {
      out.appendBoolean("allowMigrations", false);
    }
    if (maxChunkSizeBytes != 0) {
      out.appendInt64("maxChunkSizeBytes", maxChunkSizeBytes);
    }
    if (unsplittable) {
      out.appendBoolean("unsplittable", true);
    }
    return out.toDocument();
  }

  /** The version of the collection before its first chunk. */
  public ChunkVersion noChunks() {
    return new ChunkVersion(epoch, timestamp, 0, 0);
  }
}
