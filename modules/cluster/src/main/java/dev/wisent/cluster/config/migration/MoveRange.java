package dev.wisent.cluster.config.migration;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.sharding.ChunkRange;
import java.util.UUID;

/**
 * What is to be moved.
 *
 * @param range inside of one chunk of the donor
 * @param bytesMax how large it may be; 0 for no limit
 * @param forced whether it may be larger
 * @param deletesNow whether the donor deletes its documents at once, and not after a while
 */
public record MoveRange(
    String namespace,
    UUID uuid,
    ChunkRange range,
    String from,
    String to,
    long bytesMax,
    boolean forced,
    boolean deletesNow) {
  /** What a run of the coordinator is for: each shard gives away one range at a time. */
  public String resource() {
    return namespace + " of " + from;
  }

  /** The same with a part of the range. */
  MoveRange withRange(ChunkRange part) {
    return new MoveRange(namespace, uuid, part, from, to, bytesMax, forced, deletesNow);
  }

  public RawDocument toDocument() {
    var out = new BsonBuilder(256).appendString("ns", namespace).appendUuid("uuid", uuid);
    range.append(out);
    out.appendString("fromShard", from).appendString("toShard", to);
    out.appendInt64("maxChunkSizeBytes", bytesMax).appendBoolean("forceJumbo", forced);
    return out.appendBoolean("waitForDelete", deletesNow).toDocument();
  }

  static MoveRange of(RawDocument arguments) {
    return new MoveRange(
        DocumentFields.text(arguments, "ns"),
        arguments.get("uuid").asUuid(),
        ChunkRange.of(arguments),
        DocumentFields.text(arguments, "fromShard"),
        DocumentFields.text(arguments, "toShard"),
        DocumentFields.number(arguments, "maxChunkSizeBytes"),
        DocumentFields.isTrue(arguments, "forceJumbo"),
        DocumentFields.isTrue(arguments, "waitForDelete"));
  }

  /** As lines of the changelog have it. */
  BsonBuilder details() {
    var out = new BsonBuilder(256);
    range.append(out);
    return out.appendString("from", from).appendString("to", to);
  }
}
