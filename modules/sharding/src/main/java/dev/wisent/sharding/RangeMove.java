package dev.wisent.sharding;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.UUID;

/**
 * A range that goes from one shard to another, as both know it until the config servers do.
 *
 * @param version that of both shards after the move; the minor number means nothing
 * @param decided false on the shard that gets the range, while it does not know the outcome
 */
public record RangeMove(
    UUID id, ChunkRange range, String from, String to, ChunkVersion version, boolean decided) {
  public static RangeMove of(RawDocument document) {
    RawValue undecided = document.get("undecided");
    return new RangeMove(
        document.get("id").asUuid(),
        ChunkRange.of(document),
        document.get("from").asString(),
        document.get("to").asString(),
        ChunkVersion.of(document.get("version").asDocument()),
        undecided == null || !undecided.isTruthy());
  }

  public RawDocument toDocument() {
    var out = new BsonBuilder(256).appendUuid("id", id);
    range.append(out);
    out.appendString("from", from).appendString("to", to);
    out.appendDocument("version", version.toDocument());
    if (!decided) {
      out.appendBoolean("undecided", true);
    }
    return out.toDocument();
  }

  public RangeMove withOutcome() {
    return new RangeMove(id, range, from, to, version, true);
  }
}
