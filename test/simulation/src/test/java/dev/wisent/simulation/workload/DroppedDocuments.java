package dev.wisent.simulation.workload;

import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/** The documents of a collection that is dropped now and then, and created again. */
final class DroppedDocuments {
  private final TreeMap<Integer, Span> inserts = new TreeMap<>();
  private final List<Span> drops = new ArrayList<>();
  private int next;

  /** A document that is about to be inserted. */
  int begin(Span insert) {
    inserts.put(next, insert);
    return next++;
  }

  /** The collection is about to be dropped; where documents take its place, they have this span. */
  void drop(Span drop) {
    drops.add(drop);
  }

  private boolean isCertain(Span insert, long from, long to) {
    return insert.doneBy(from)
        && drops.stream()
            .allMatch(drop -> drop == insert || !drop.begunBy(to) || drop.doneBy(insert.began()));
  }

  private boolean isPossible(Span insert, long from, long to) {
    return insert.begunBy(to)
        && drops.stream()
            .noneMatch(drop -> drop != insert && drop.doneBy(from) && insert.doneBy(drop.began()));
  }

  /** Compares what was found in some moments of a time with what can and must be there. */
  void check(List<RawDocument> found, long from, long to) {
    var ids = new HashSet<Integer>();
    for (RawDocument document : found) {
      int id = (int) Session.number(document, "_id");
      if (!ids.add(id)) {
        throw new Violation("document " + id + " was found twice");
      }
      if (!isPossible(inserts.get(id), from, to)) {
        throw new Violation("document " + id + " was found, and was dropped: " + document);
      }
    }
    inserts.forEach(
        (id, insert) -> {
          if (isCertain(insert, from, to) && !ids.contains(id)) {
            throw new Violation("document " + id + " was not found, and was not dropped");
          }
        });
  }
}
