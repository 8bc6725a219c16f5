package dev.wisent.query.update.element;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * One component of an update path: its text, its bytes in a document, and the array position that
 * it means where it is applied to an array.
 */
public final class FieldName implements Comparable<FieldName> {
  /** The position of a name that is not a number. */
  public static final int NOT_AN_INDEX = -1;

  /** Digits that say more than this are a name only, as in MongoDB. */
  private static final long INDEX_MAX = 0xFFFFFFFFL;

  private final String text;
  private final byte[] utf8;
  private final int index;

  private FieldName(String text, byte[] utf8, int index) {
    this.text = text;
    this.utf8 = utf8;
    this.index = index;
  }

  public static FieldName of(String text) {
    return new FieldName(text, text.getBytes(StandardCharsets.UTF_8), parseIndex(text));
  }

  public static FieldName ofIndex(int index) {
    String text = Integer.toString(index);
    return new FieldName(text, text.getBytes(StandardCharsets.UTF_8), index);
  }

  public String text() {
    return text;
  }

  public byte[] utf8() {
    return utf8;
  }

  /**
   * The position that this name means in an array, or {@link #NOT_AN_INDEX}. Positions that no
   * array reaches come out as {@link Integer#MAX_VALUE}.
   */
  public int index() {
    return index;
  }

  /** Only digits and no leading zero, as array positions are written. */
  private boolean isCanonicalIndex() {
    return index != NOT_AN_INDEX && (text.length() == 1 || text.charAt(0) != '0');
  }

  /**
   * The order in which new fields are created: numbers by value, everything else by its bytes
   * (MongoDB since 5.0).
   */
  @Override
  public int compareTo(FieldName other) {
    if (isCanonicalIndex() && other.isCanonicalIndex() && text.length() != other.text.length()) {
      return Integer.compare(text.length(), other.text.length());
    }
    return Arrays.compareUnsigned(utf8, other.utf8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldName that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }

  private static int parseIndex(String text) {
    if (text.isEmpty()) {
      return NOT_AN_INDEX;
    }
    long value = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return NOT_AN_INDEX;
      }
      value = value * 10 + (c - '0');
      if (value > INDEX_MAX) {
        return NOT_AN_INDEX;
      }
    }
    return (int) Math.min(value, Integer.MAX_VALUE);
  }
}
