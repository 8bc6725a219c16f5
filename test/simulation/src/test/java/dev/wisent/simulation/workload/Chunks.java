package dev.wisent.simulation.workload;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/** The assignment of ranges, as the config servers have it. */
final class Chunks {
  private Chunks() {}

  static List<RawDocument> batch(RawDocument reply) {
    var documents = new ArrayList<RawDocument>();
    ElementCursor each = reply.get("cursor").asDocument().get("firstBatch").elements();
    while (each.next()) {
      documents.add(each.value().asDocument());
    }
    return documents;
  }

  static void requireOwner(RawDocument chunks, int key, String shard) {
    for (RawDocument chunk : batch(chunks)) {
      if (chunk.get("min").asDocument().get("k") == null) {
        continue;
      }
      RawValue min = chunk.get("min").asDocument().get("k");
      RawValue max = chunk.get("max").asDocument().get("k");
      boolean from = !min.isNumber() || min.toLong() <= key;
      boolean to = !max.isNumber() || key < max.toLong();
      if (from && to) {
        if (!chunk.get("shard").asString().equals(shard)) {
          throw new Violation(shard + " owns key " + key + ", but there is " + chunk);
        }
        return;
      }
    }
    throw new Violation("no chunk has key " + key + ": " + chunks);
  }
}
