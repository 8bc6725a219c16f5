package dev.wisent.query.projection;

import dev.wisent.bson.ElementCursor;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The fields that a projection names at one level, with what to do about each. */
final class ProjectionNode {
  /** Up to here comparing names one by one is faster than hashing. */
  private static final int LINEAR_MAX = 8;

  private final byte[][] names;
  private final Step[] steps;

  /** Positions in the arrays above plus one, by hash of the name; null for few fields. */
  private final int[] table;

  ProjectionNode(Map<String, Step> fields) {
    names = new byte[fields.size()][];
    steps = new Step[fields.size()];
    int i = 0;
    for (Map.Entry<String, Step> field : fields.entrySet()) {
      names[i] = field.getKey().getBytes(StandardCharsets.UTF_8);
      steps[i] = field.getValue();
      i++;
    }
    table = names.length <= LINEAR_MAX ? null : buildTable(names);
  }

  private static int[] buildTable(byte[][] names) {
    int[] table = new int[Integer.highestOneBit(names.length) * 4];
    for (int i = 0; i < names.length; i++) {
      int slot = hash(names[i], 0, names[i].length) & (table.length - 1);
      while (table[slot] != 0) {
        slot = (slot + 1) & (table.length - 1);
      }
      table[slot] = i + 1;
    }
    return table;
  }

  private static int hash(byte[] bytes, int offset, int length) {
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = hash * 31 + bytes[i];
    }
    return hash ^ hash >>> 15;
  }

  int size() {
    return names.length;
  }

  Step step(int i) {
    return steps[i];
  }

  byte[] name(int i) {
    return names[i];
  }

  /** The position of the field that the cursor stands on, or -1. */
  int find(ElementCursor cursor) {
    if (table == null) {
      for (int i = 0; i < names.length; i++) {
        if (cursor.nameEquals(names[i])) {
          return i;
        }
      }
      return -1;
    }
    int slot = hash(cursor.bytes(), cursor.nameOffset(), cursor.nameLength()) & (table.length - 1);
    while (table[slot] != 0) {
      if (cursor.nameEquals(names[table[slot] - 1])) {
        return table[slot] - 1;
      }
      slot = (slot + 1) & (table.length - 1);
    }
    return -1;
  }
}
