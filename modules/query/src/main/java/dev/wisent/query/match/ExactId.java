package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;

/**
 * Recognises filters that name one document by its {@code _id}, on the bytes and without parsing:
 * {@code {_id: v}} and {@code {_id: {$eq: v}}}.
 */
public final class ExactId {
  private static final byte[] ID = "_id".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] EQ = "$eq".getBytes(StandardCharsets.US_ASCII);

  private ExactId() {}

  /**
   * The value that {@code _id} must equal, if that is all the filter says; null for every other
   * filter, wrong ones included.
   */
  public static RawValue of(RawDocument filter) {
    ElementCursor elements = filter.elements();
    if (!elements.next() || !elements.nameEquals(ID)) {
      return null;
    }
    RawValue value = elements.value();
    if (elements.next()) {
      return null;
    }
    if (value.type() == ElementType.DOCUMENT && OperatorDocuments.isOperatorDocument(value)) {
      return equalTo(value);
    }
    return isComparable(value) && value.type() != ElementType.REGEX ? value : null;
  }

  private static RawValue equalTo(RawValue operators) {
    ElementCursor elements = operators.elements();
    if (!elements.next() || !elements.nameEquals(EQ)) {
      return null;
    }
    RawValue value = elements.value();
    return !elements.next() && isComparable(value) ? value : null;
  }

  /** Undefined is an error that the parser reports. */
  private static boolean isComparable(RawValue value) {
    return value.type() != ElementType.UNDEFINED;
  }
}
