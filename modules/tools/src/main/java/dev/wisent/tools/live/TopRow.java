package dev.wisent.tools.live;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Milliseconds that a collection took between two answers to {@code top}. */
record TopRow(String namespace, long total, long read, long write) {
  private static final long MICROS = 1_000;

  /** The busiest first, then by name. */
  static List<TopRow> between(BsonDocument before, BsonDocument now) {
    List<TopRow> rows = new ArrayList<>();
    now.forEach(
        (namespace, figures) -> {
          if (figures.isDocument() && before.get(namespace) instanceof BsonDocument old) {
            BsonDocument of = figures.asDocument();
            rows.add(
                new TopRow(
                    namespace,
                    millis(old, of, "total"),
                    millis(old, of, "readLock"),
                    millis(old, of, "writeLock")));
          }
        });
    rows.sort(Comparator.comparingLong(TopRow::total).reversed().thenComparing(TopRow::namespace));
    return rows;
  }

  private static long millis(BsonDocument before, BsonDocument now, String kind) {
    return Math.max(0, (time(now, kind) - time(before, kind)) / MICROS);
  }

  private static long time(BsonDocument figures, String kind) {
    BsonValue of = figures.get(kind);
    return of != null && of.isDocument() ? of.asDocument().getNumber("time").longValue() : 0;
  }
}
