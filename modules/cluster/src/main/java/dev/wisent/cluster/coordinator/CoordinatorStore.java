package dev.wisent.cluster.coordinator;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import java.util.List;

/** Keeps the documents of coordinators. What is written survives every election. */
public interface CoordinatorStore {
  List<RawDocument> all(OperationContext operation);

  /** Inserts a document, or replaces the one with its {@code _id}. */
  void put(OperationContext operation, RawDocument document);

  void remove(OperationContext operation, RawValue id);
}
