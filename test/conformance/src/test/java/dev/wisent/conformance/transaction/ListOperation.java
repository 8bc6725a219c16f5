package dev.wisent.conformance.transaction;

import java.util.List;

/** One step of a transaction on lists that only grow. */
sealed interface ListOperation {

  String key();

  /** A value that no other operation appends, added at the end of a list. */
  record Append(String key, long value) implements ListOperation {}

  /** What the transaction saw. */
  record Read(String key, List<Long> values) implements ListOperation {
    public Read {
      values = List.copyOf(values);
    }
  }
}
