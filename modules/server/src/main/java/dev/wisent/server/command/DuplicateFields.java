package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;

/**
 * Notices a field that a document has twice, while the document is walked. A bit per name tells
 * most names apart; only two names with the same bit are compared.
 */
final class DuplicateFields {
  private final RawDocument document;
  private long seen;

  DuplicateFields(RawDocument document) {
    this.document = document;
  }

  /** To be called for each field once, in order; {@code owner} stands before the name in errors. */
  void check(ElementCursor field, String owner) {
    long bit = 1L << hash(field);
    if ((seen & bit) != 0 && occursBefore(field)) {
      throw new CommandException(
          ErrorCode.IDL_DUPLICATE_FIELD,
          "BSON field '" + owner + "." + field.name() + "' is a duplicate field");
    }
    seen |= bit;
  }

  private static int hash(ElementCursor field) {
    byte[] bytes = field.bytes();
    int hash = field.nameLength();
    int end = field.nameOffset() + field.nameLength();
    for (int i = field.nameOffset(); i < end; i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash ^ hash >>> 6) & 63;
  }

  private boolean occursBefore(ElementCursor field) {
    ElementCursor earlier = document.elements();
    while (earlier.next() && earlier.nameOffset() < field.nameOffset()) {
      if (Arrays.equals(
          earlier.bytes(),
          earlier.nameOffset(),
          earlier.nameOffset() + earlier.nameLength(),
          field.bytes(),
          field.nameOffset(),
          field.nameOffset() + field.nameLength())) {
        return true;
      }
    }
    return false;
  }
}
