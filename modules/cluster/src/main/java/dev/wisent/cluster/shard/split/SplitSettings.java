package dev.wisent.cluster.shard.split;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.OperationContext;

/**
 * When chunks are split, as {@code config.settings} says.
 *
 * @param chunkBytes how large a chunk may become
 */
record SplitSettings(boolean enabled, long chunkBytes) {
  private static final long MEGABYTE = 1 << 20;
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;
  private static final long CHUNK_MEGABYTES_MAX = 1024;

  /** With fewer chunks than this a collection is split earlier, so that it can be spread. */
  private static final int CHUNKS_OF_A_SMALL_COLLECTION = 4;

  static SplitSettings read(OperationContext operation, ShardCalls calls) {
    var command = new BsonBuilder();
    command.appendString("find", "settings").startDocument("filter").startDocument("_id");
    command.startArray("$in").appendString("0", "chunksize").appendString("1", "autosplit");
    command.end().end().end();
    RawDocument reply =
        calls.call(
            operation, ShardRequest.control(ShardCalls.CONFIG, "config", command.toDocument()));
    boolean enabled = true;
    long megabytes = CHUNK_MEGABYTES_DEFAULT;
    ElementCursor found = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (found.next()) {
      RawDocument setting = found.value().asDocument();
      if (setting.get("_id").asString().equals("autosplit")) {
        RawValue value = setting.get("enabled");
        enabled = value == null || value.isTruthy();
      } else {
        megabytes = megabytes(setting.get("value"));
      }
    }
    return new SplitSettings(enabled, megabytes * MEGABYTE);
  }

  /** A value that makes no sense counts as none. */
  private static long megabytes(RawValue value) {
    if (value == null || !value.isNumber()) {
      return CHUNK_MEGABYTES_DEFAULT;
    }
    long given = value.toLong();
    return given < 1 || given > CHUNK_MEGABYTES_MAX ? CHUNK_MEGABYTES_DEFAULT : given;
  }

  /** How large a chunk may become in a collection with so many chunks. */
  long chunkBytesAmong(int chunks) {
    return chunks < CHUNKS_OF_A_SMALL_COLLECTION ? chunkBytes / 2 : chunkBytes;
  }
}
