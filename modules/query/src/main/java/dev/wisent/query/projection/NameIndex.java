package dev.wisent.query.projection;

import dev.wisent.bson.ElementCursor;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/** Names of fields by position, to be found again by the bytes of a document's names. */
final class NameIndex {
  /** Up to here comparing names one by one is faster than hashing. */
  private static final int LINEAR_MAX = 8;

  private final byte[][] names;

  /** Positions in the array above plus one, by hash of the name; null for few names. */
  private final int[] table;

  NameIndex(Collection<String> names) {
    this.names =
        names.stream().map(name -> name.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new);
    this.table = this.names.length <= LINEAR_MAX ? null : buildTable(this.names);
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
