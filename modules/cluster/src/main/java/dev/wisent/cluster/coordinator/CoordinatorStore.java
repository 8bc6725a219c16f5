package dev.wisent.cluster.coordinator;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.UUID;

/** Keeps the documents of coordinators. What is written survives every election. */
public interface CoordinatorStore {
  List<RawDocument> all(OperationContext operation);

  /** The number of the term. */
  long term();

  /**
   * Inserts a document, or replaces the one with its {@code _id}.
   *
   * @param term that of the run: in another one this fails, as the stored document may be newer
   */
  void put(OperationContext operation, RawDocument document, long term);

  /**
   * Removes the document of a run that has ended.
   *
   * @param outcome a {@link RunOutcome} that is kept from before then on; null for none
   * @param term that of the run
   */
  void remove(OperationContext operation, RawValue id, RawDocument outcome, long term);

  /** What came of the request with a key; null where that is not known. */
  RawDocument outcome(OperationContext operation, UUID key);
}
