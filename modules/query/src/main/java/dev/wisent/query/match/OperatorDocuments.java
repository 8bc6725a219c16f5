package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;

/** Tells documents of operators ({@code {$gt: 5}}) from documents to compare with. */
final class OperatorDocuments {
  private static final byte[] REF = "$ref".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ID = "$id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] DB = "$db".getBytes(StandardCharsets.US_ASCII);

  private OperatorDocuments() {}

  /** The first field decides, unless the document is a DBRef: one with $ref and $id. */
  static boolean isOperatorDocument(RawValue value) {
    return startsWithDollar(value) && !isDbRef(value);
  }

  /** The same, but any field of a DBRef makes it one. */
  static boolean isOperatorDocumentNotPartOfDbRef(RawValue value) {
    return startsWithDollar(value) && !hasDbRefField(value);
  }

  private static boolean startsWithDollar(RawValue value) {
    if (!value.isDocument()) {
      return false;
    }
    ElementCursor elements = value.elements();
    return elements.next() && elements.nameStartsWith('$');
  }

  private static boolean isDbRef(RawValue value) {
    boolean ref = false;
    boolean id = false;
    ElementCursor elements = value.elements();
    while (elements.next()) {
      ref |= elements.nameEquals(REF);
      id |= elements.nameEquals(ID);
    }
    return ref && id;
  }

  private static boolean hasDbRefField(RawValue value) {
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (elements.nameEquals(REF) || elements.nameEquals(ID) || elements.nameEquals(DB)) {
        return true;
      }
    }
    return false;
  }
}
