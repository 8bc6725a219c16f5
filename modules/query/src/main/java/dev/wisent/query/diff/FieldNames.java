package dev.wisent.query.diff;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;

/** The field names of one document, to be looked up without walking over it again. */
final class FieldNames {
  private static final int NONE = 0;

  private final byte[] bytes;

  /**
   * Pairs of where a name begins (never 0, for a document begins with its length) and its length.
   */
  private final int[] table;

  private final boolean distinct;

  FieldNames(RawDocument document) {
    bytes = document.bytes();
    int slots = Integer.highestOneBit(Math.max(4, document.fieldCount() * 2 - 1)) << 1;
    table = new int[2 * slots];
    boolean noneTwice = true;
    ElementCursor fields = document.elements();
    while (fields.next()) {
      int at = slot(fields.bytes(), fields.nameOffset(), fields.nameLength());
      noneTwice &= table[at] == NONE;
      table[at] = fields.nameOffset();
      table[at + 1] = fields.nameLength();
    }
    distinct = noneTwice;
  }

  /** Whether no name is there twice, so that a name says which field is meant. */
  boolean areDistinct() {
    return distinct;
  }

  /** Whether there is a field with the name that the cursor stands on. */
  boolean contains(ElementCursor field) {
    return table[slot(field.bytes(), field.nameOffset(), field.nameLength())] != NONE;
  }

  /** The slot of a name, or the free one where it would be. */
  private int slot(byte[] source, int offset, int length) {
    int hash = length;
    for (int i = offset; i < offset + length; i++) {
      hash = 31 * hash + source[i];
    }
    int slots = table.length / 2;
    int slot = (hash ^ (hash >>> 16)) & (slots - 1);
    while (table[2 * slot] != NONE && !isAt(2 * slot, source, offset, length)) {
      slot = (slot + 1) & (slots - 1);
    }
    return 2 * slot;
  }

  private boolean isAt(int at, byte[] source, int offset, int length) {
    int start = table[at];
    return table[at + 1] == length
        && Arrays.equals(bytes, start, start + length, source, offset, offset + length);
  }
}
