package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.bson.types.ObjectId;

/**
 * A document of {@code config.chunks}.
 *
 * @param uuid of the collection
 * @param lastmod both numbers of the chunk's version
 * @param onCurrentShardSince a cluster time
 * @param history where the chunk has been, the newest place first
 */
public record ChunkDocument(
    ObjectId id,
    UUID uuid,
    ChunkRange range,
    String shard,
    long lastmod,
    long onCurrentShardSince,
    List<Placement> history,
    boolean jumbo) {
  /** A shard that has had the chunk since a cluster time. */
  public record Placement(long validAfter, String shard) {}

  public ChunkDocument {
    history = List.copyOf(history);
  }

  /** A chunk that has been on its shard since a cluster time, and nowhere before. */
  public static ChunkDocument first(ObjectId id, UUID uuid, Chunk chunk, long since) {
    return new ChunkDocument(
        id,
        uuid,
        chunk.range(),
        chunk.shard(),
        chunk.version().combined(),
        since,
        List.of(new Placement(since, chunk.shard())),
        chunk.jumbo());
  }

  /** The chunk with or without the flag, in a new version. */
  public ChunkDocument marked(boolean isJumbo, ChunkVersion version) {
    return new ChunkDocument(
        id, uuid, range, shard, version.combined(), onCurrentShardSince, history, isJumbo);
  }

  /** The chunk with other bounds. */
  public ChunkDocument with(ChunkRange other) {
    return new ChunkDocument(id, uuid, other, shard, lastmod, onCurrentShardSince, history, jumbo);
  }

  public static ChunkDocument of(RawDocument document) {
    String shard = document.get("shard").asString();
    RawValue since = document.get("onCurrentShardSince");
    RawValue jumbo = document.get("jumbo");
    return new ChunkDocument(
        document.get("_id").asObjectId(),
        document.get("uuid").asUuid(),
        ChunkRange.of(document),
        shard,
        document.get("lastmod").asInt64(),
        since == null ? 0 : since.asInt64(),
        historyOf(document),
        jumbo != null && jumbo.isTruthy());
  }

  private static List<Placement> historyOf(RawDocument document) {
    var history = new ArrayList<Placement>();
    RawValue places = document.get("history");
    if (places != null) {
      ElementCursor elements = places.elements();
      while (elements.next()) {
        RawDocument place = elements.value().asDocument();
        history.add(
            new Placement(place.get("validAfter").asInt64(), place.get("shard").asString()));
      }
    }
    return history;
  }

  public RawDocument toDocument() {
    var out = new BsonBuilder(256);
    out.appendObjectId("_id", id);
    out.appendUuid("uuid", uuid);
    range.append(out);
    out.appendString("shard", shard);
    out.appendTimestamp("lastmod", lastmod);
    out.appendTimestamp("onCurrentShardSince", onCurrentShardSince);
    out.startArray("history");
    for (int i = 0; i < history.size(); i++) {
      out.startDocument(i);
      out.appendTimestamp("validAfter", history.get(i).validAfter());
      out.appendString("shard", history.get(i).shard());
      out.end();
    }
    out.end();
    if (jumbo) {
      out.appendBoolean("jumbo", true);
    }
    return out.toDocument();
  }

  /**
   * Adds the chunk of a document to a routing table; reads no more of it than that needs.
   *
   * @return both numbers of its version
   */
  public static long addTo(RoutingTableBuilder table, RawDocument document) {
    RawDocument min = null;
    RawDocument max = null;
    String shard = null;
    long lastmod = 0;
    boolean jumbo = false;
    RawValue history = null;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      switch (fields.name()) {
        case "min" -> min = fields.value().asDocument();
        case "max" -> max = fields.value().asDocument();
        case "shard" -> shard = fields.value().asString();
        case "lastmod" -> lastmod = fields.value().asInt64();
        case "jumbo" -> jumbo = fields.value().isTruthy();
        case "history" -> history = fields.value();
        default -> {}
      }
    }
    table.add(new ChunkRange(min, max), shard, lastmod, jumbo, history);
    return lastmod;
  }
}
