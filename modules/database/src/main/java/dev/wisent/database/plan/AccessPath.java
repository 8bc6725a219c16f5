package dev.wisent.database.plan;

import dev.wisent.bson.ValueText;
import dev.wisent.database.collection.Index;
import java.util.List;

/** How a plan reaches records. */
public sealed interface AccessPath {
  /** As MongoDB's logs and explain call it. */
  String summary();

  /** Every record, in the order of insertion or backwards. */
  record Everything(boolean reverse) implements AccessPath {
    @Override
    public String summary() {
      return "COLLSCAN";
    }
  }

  /**
   * Ranges of an index.
   *
   * @param sorted whether records come in the order that was asked for
   */
  record ByIndex(Index index, List<ByteRange> ranges, boolean reverse, boolean sorted)
      implements AccessPath {
    @Override
    public String summary() {
      return "IXSCAN " + ValueText.of(index.definition().key());
    }
  }
}
