package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import org.bson.types.ObjectId;

/**
 * The version of a sharded collection's placement, on a shard or as a whole. Versions of one epoch
 * are ordered by major and minor number: a migration raises the major number, a split the minor
 * one.
 *
 * @param epoch of the collection since it was sharded
 * @param timestamp when it was sharded, as a cluster time
 */
public record ChunkVersion(ObjectId epoch, long timestamp, int major, int minor) {
  /** What requests carry for a collection that is not sharded. */
  public static final ChunkVersion UNSHARDED =
      new ChunkVersion(new ObjectId(new byte[12]), 0, 0, 0);

  public boolean isUnsharded() {
    return epoch.equals(UNSHARDED.epoch);
  }

  /** Whether both are of the same sharding of the same collection. */
  public boolean isSameCollection(ChunkVersion other) {
    return epoch.equals(other.epoch) && timestamp == other.timestamp;
  }

  /** Whether this is older than another one of the same collection. */
  public boolean isOlderThan(ChunkVersion other) {
    return combined() < other.combined();
  }

  /** Both numbers as {@code lastmod} has them. */
  public long combined() {
    return (long) major << 32 | Integer.toUnsignedLong(minor);
  }

  public ChunkVersion nextMajor() {
    return new ChunkVersion(epoch, timestamp, major + 1, 0);
  }

  public ChunkVersion nextMinor() {
    return new ChunkVersion(epoch, timestamp, major, minor + 1);
  }

  /** As a command's {@code shardVersion} has it. */
  public static ChunkVersion of(RawDocument version) {
    return of(
        version.get("e").asObjectId(), version.get("t").asInt64(), version.get("v").asInt64());
  }

  public static ChunkVersion of(ObjectId epoch, long timestamp, long combined) {
    return new ChunkVersion(epoch, timestamp, (int) (combined >>> 32), (int) combined);
  }

  /** As a command's {@code shardVersion} has it. */
  public RawDocument toDocument() {
    return new BsonBuilder(64)
        .appendObjectId("e", epoch)
        .appendTimestamp("t", timestamp)
        .appendTimestamp("v", combined())
        .toDocument();
  }
}
