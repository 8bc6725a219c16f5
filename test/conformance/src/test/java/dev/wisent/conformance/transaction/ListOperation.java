package dev.wisent.conformance.transaction;

import java.util.AbstractList;
import java.util.List;

/** One step of a transaction on lists that only grow. */
sealed interface ListOperation {

  String key();

  /** A value that no other operation appends, added at the end of a list. */
  record Append(String key, long value) implements ListOperation {}

  /** What a read found, without an object for each value: a long run has millions of them. */
  final class Values extends AbstractList<Long> {
    private final long[] values;

    private Values(long[] values) {
      this.values = values;
    }

    @Override
    public Long get(int index) {
      return values[index];
    }

    @Override
    public int size() {
      return values.length;
    }
  }

  /** What the transaction saw. */
  record Read(String key, List<Long> values) implements ListOperation {
    public Read {
      values = new Values(values.stream().mapToLong(Long::longValue).toArray());
    }
  }
}
