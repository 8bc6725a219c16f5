package dev.wisent.bench.target;

import dev.wisent.bench.store.Durability;

/** Words for the table. */
final class DurabilityLabels {
  private DurabilityLabels() {}

  static String mongo(Durability durability) {
    return switch (durability) {
      case READ_ONLY -> "reads";
      case ACKNOWLEDGED -> "w:1, j:false";
      case JOURNALED -> "w:1, j:true";
      case MAJORITY -> "w:majority, j:true";
    };
  }

  static String postgres(Durability durability) {
    return switch (durability) {
      case READ_ONLY -> "reads";
      case ACKNOWLEDGED -> "synchronous_commit=off";
      case JOURNALED, MAJORITY -> "synchronous_commit=on";
    };
  }

  static String memory(Durability durability) {
    return switch (durability) {
      case READ_ONLY -> "reads";
      case ACKNOWLEDGED, JOURNALED, MAJORITY -> "none (memory)";
    };
  }
}
