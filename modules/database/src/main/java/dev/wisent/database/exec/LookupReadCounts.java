package dev.wisent.database.exec;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.operation.OperationContext;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a stage such as {@code $lookup} has read of another collection, for explain. A hash table
 * that was read once for many documents counts once. Belongs to one thread.
 */
public final class LookupReadCounts {
  private final SortedSet<String> indexes = new TreeSet<>();
  private long keysExamined;
  private long documentsExamined;
  private long collectionScans;
  private long keysBefore;
  private long documentsBefore;

  /** Starts a read under an operation. */
  public void begin(OperationContext operation) {
    keysBefore = operation.keysExamined();
    documentsBefore = operation.documentsExamined();
  }

  /** Ends the read. */
  public void end(OperationContext operation) {
    keysExamined += operation.keysExamined() - keysBefore;
    documentsExamined += operation.documentsExamined() - documentsBefore;
  }

  /** Adds the plan of a read; null where nothing was read. */
  public void add(PlanNode plan) {
    switch (plan) {
      case null -> {
        // There is no such collection.
      }
      case PlanNode.CollectionScan scan -> collectionScans++;
      case PlanNode.IdLookup lookup -> indexes.add(IndexDefinition.ID_INDEX_NAME);
      case PlanNode.KeyLookup lookup -> add(lookup.index());
      case PlanNode.IndexScan scan -> add(scan.index());
      case PlanNode.GeoNear near -> add(near.index());
      case PlanNode.CountScan scan -> add(scan.index());
      case PlanNode.DistinctScan scan -> add(scan.index());
      default -> plan.children().forEach(this::add);
    }
  }

  private void add(Index index) {
    indexes.add(index.name());
  }

  /** Adds the figures to the stage in an explain. */
  public void append(BsonBuilder out) {
    out.appendInt64("totalDocsExamined", documentsExamined);
    out.appendInt64("totalKeysExamined", keysExamined);
    out.appendInt64("collectionScans", collectionScans);
    out.startArray("indexesUsed");
    int count = 0;
    for (String index : indexes) {
      out.appendString(Integer.toString(count++), index);
    }
    out.end();
  }
}
