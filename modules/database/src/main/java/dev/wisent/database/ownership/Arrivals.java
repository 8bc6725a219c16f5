package dev.wisent.database.ownership;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * How ranges of a collection have come to this shard. A state between the promise of a shard to
 * take a range and the moment in which it has heard of the decision does not tell whose the range
 * is; what the shard has heard later does.
 *
 * @param withoutRanges whether this shard has owned nothing of the collection when it heard of it
 * @param times when the newest ranges came, by the id of the migration: the time of the decision
 */
public record Arrivals(boolean withoutRanges, Map<UUID, Long> times) {
  static final Arrivals NONE = new Arrivals(false, Map.of());

  public static final String WITHOUT_RANGES = "withoutRanges";
  private static final String TIMES = "arrivals";

  /** As many are kept as a shard can get while states of the past are kept, and more. */
  private static final int TIMES_MAX = 100;

  public Arrivals {
    times = Map.copyOf(times);
  }

  /** From the row of a collection. */
  static Arrivals of(RawDocument row) {
    return new Arrivals(row.get(WITHOUT_RANGES) != null, times(row));
  }

  /** In the order in which they came. */
  private static Map<UUID, Long> times(RawDocument row) {
    var times = new LinkedHashMap<UUID, Long>();
    RawValue arrivals = row.get(TIMES);
    if (arrivals != null) {
      for (ElementCursor each = arrivals.elements(); each.next(); ) {
        RawDocument arrival = each.value().asDocument();
        times.put(arrival.get("id").asUuid(), arrival.get("at").asInt64());
      }
    }
    return times;
  }

  /** The row of a collection after a range has come. */
  public static RawDocument added(RawDocument row, UUID migration, long at) {
    Map<UUID, Long> times = times(row);
    times.put(migration, at);
    int skipped = Math.max(0, times.size() - TIMES_MAX);
    var out = new BsonBuilder(row.length() + 64);
    for (ElementCursor fields = row.elements(); fields.next(); ) {
      if (!fields.name().equals(TIMES)) {
        out.appendElement(fields);
      }
    }
    out.startArray(TIMES);
    int count = 0;
    for (Map.Entry<UUID, Long> each : times.entrySet()) {
      if (skipped-- <= 0) {
        out.startDocument(count++);
        out.appendUuid("id", each.getKey()).appendTimestamp("at", each.getValue());
        out.end();
      }
    }
    return out.end().toDocument();
  }
}
