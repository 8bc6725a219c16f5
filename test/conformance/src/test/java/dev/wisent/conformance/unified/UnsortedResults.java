package dev.wisent.conformance.unified;

import dev.wisent.testkit.Topology;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Several shards give their documents in any order: without a sort these are compared by id. */
final class UnsortedResults {
  private static final Set<String> READS = Set.of("find", "aggregate", "runCursorCommand");

  private UnsortedResults() {}

  /**
   * @param result of an operation; null where it has none
   */
  static BsonValue comparable(BsonDocument operation, BsonValue result) {
    boolean anyOrder =
        Topology.ofRun() == Topology.SHARDED
            && READS.contains(operation.getString("name").getValue())
            && !hasSort(operation)
            && result != null
            && result.isArray()
            && result.asArray().stream().allMatch(UnsortedResults::hasIntegerId);
    return anyOrder ? byId(result.asArray()) : result;
  }

  private static boolean hasSort(BsonValue operation) {
    String text = operation.toString();
    return text.contains("\"sort\"") || text.contains("\"$sort\"");
  }

  private static boolean hasIntegerId(BsonValue document) {
    return document.isDocument() && document.asDocument().isInt32("_id");
  }

  private static BsonArray byId(BsonArray documents) {
    List<BsonValue> sorted =
        documents.stream()
            .sorted(Comparator.comparing(each -> each.asDocument().getInt32("_id")))
            .toList();
    return new BsonArray(sorted);
  }
}
