package dev.wisent.cluster.shard.split;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;

/**
 * When the chunks of a collection are split, as {@code config.settings} says, or its document in
 * {@code config.collections}.
 *
 * @param chunkBytes how large a chunk may become
 */
record SplitSettings(boolean enabled, long chunkBytes) {
  private static final long MEGABYTE = 1 << 20;
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;
  private static final long CHUNK_MEGABYTES_MAX = 1024;

  /** With fewer chunks than this a collection is split earlier, so that it can be spread. */
  private static final int CHUNKS_OF_A_SMALL_COLLECTION = 4;

  static SplitSettings read(OperationContext operation, ShardCalls calls, Namespace namespace) {
    boolean enabled = true;
    long bytes = CHUNK_MEGABYTES_DEFAULT * MEGABYTE;
    for (RawDocument setting : find(operation, calls, "settings", "chunksize", "autosplit")) {
      if (setting.get("_id").asString().equals("autosplit")) {
        RawValue value = setting.get("enabled");
        enabled = value == null || value.isTruthy();
      } else {
        bytes = megabytes(setting.get("value")) * MEGABYTE;
      }
    }
    for (RawDocument collection : find(operation, calls, "collections", namespace.full())) {
      RawValue own = collection.get("maxChunkSizeBytes");
      bytes = own != null && own.isNumber() && own.toLong() > 0 ? own.toLong() : bytes;
    }
    return new SplitSettings(enabled, bytes);
  }

  private static List<RawDocument> find(
      OperationContext operation, ShardCalls calls, String collection, String... ids) {
    var command = new BsonBuilder();
    command.appendString("find", collection).startDocument("filter").startDocument("_id");
    command.startArray("$in");
    for (int i = 0; i < ids.length; i++) {
      command.append(i, RawValue.ofString(ids[i]));
    }
    command.end().end().end();
    RawDocument reply =
        calls.call(
            operation, ShardRequest.control(ShardCalls.CONFIG, "config", command.toDocument()));
    var found = new ArrayList<RawDocument>();
    ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (each.next()) {
      found.add(each.value().asDocument());
    }
    return found;
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
