package dev.wisent.operation;

import java.util.List;

/** Deletes documents whose time is over, by the indexes that say how long documents live. */
public interface Expiry {
  /** An index by which documents of a collection go, and how long they live. */
  record Lifetime(Namespace namespace, String index, long seconds) {}

  /** All indexes by which documents go now; none where the primary sees to that. */
  List<Lifetime> lifetimes();

  /** Deletes what has outlived its time now; returns how many documents that were. */
  long deleteExpired(Lifetime lifetime, OperationContext operation);
}
