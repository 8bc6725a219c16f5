package dev.wisent.query.path;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import java.nio.charset.StandardCharsets;

/**
 * A dotted path, split once: the parts as UTF-8 bytes, ready to be compared with field names in
 * place, and for each part the array index that it may also stand for.
 */
public final class FieldPath {
  private static final int NO_INDEX = -1;
  private static final int INDEX_DIGITS_MAX = 9;

  private final String dotted;
  private final String[] names;
  private final byte[][] parts;
  private final int[] indexes;

  private FieldPath(String dotted) {
    this.dotted = dotted;
    this.names = dotted.split("\\.", -1);
    if (names.length > Limits.NESTING_DEPTH_MAX) {
      throw new CommandException(ErrorCode.FIELD_PATH_TOO_LONG, "FieldPath is too long");
    }
    this.parts = new byte[names.length][];
    this.indexes = new int[names.length];
    for (int i = 0; i < names.length; i++) {
      parts[i] = names[i].getBytes(StandardCharsets.UTF_8);
      indexes[i] = arrayIndex(names[i]);
    }
  }

  /** A path as filters take it: anything goes, empty parts are names of empty fields. */
  public static FieldPath of(String dotted) {
    return new FieldPath(dotted);
  }

  /**
   * A path as sorts, projections and expressions take it: no empty parts, none that begins with a
   * dollar sign, except the fields of a DBRef.
   */
  public static FieldPath strict(String dotted) {
    if (dotted.isEmpty()) {
      throw new CommandException(
          ErrorCode.FIELD_PATH_EMPTY, "FieldPath cannot be constructed with empty string");
    }
    if (dotted.endsWith(".")) {
      throw new CommandException(
          ErrorCode.FIELD_PATH_ENDS_WITH_DOT, "FieldPath must not end with a '.'.");
    }
    var path = new FieldPath(dotted);
    for (String name : path.names) {
      requireValidName(name);
    }
    return path;
  }

  private static void requireValidName(String name) {
    if (name.isEmpty()) {
      throw new CommandException(
          ErrorCode.FIELD_PATH_EMPTY_NAME, "FieldPath field names may not be empty strings.");
    }
    if (name.charAt(0) == '$' && !isDbRefField(name)) {
      throw new CommandException(
          ErrorCode.FIELD_PATH_DOLLAR_NAME,
          "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
    }
  }

  /** Refuses what cannot be the name of one field in an expression or a computed field. */
  public static void requireFieldName(String name) {
    requireValidName(name);
    if (name.indexOf('.') >= 0) {
      throw new CommandException(
          ErrorCode.FIELD_PATH_DOT_IN_NAME,
          "FieldPath field names may not contain '.'. Consider using $getField or $setField.");
    }
  }

  private static boolean isDbRefField(String name) {
    return name.equals("$id") || name.equals("$ref") || name.equals("$db");
  }

  /** Array elements are named "0", "1", … without leading zeros, so "01" is a field name only. */
  private static int arrayIndex(String name) {
    int length = name.length();
    if (length == 0 || length > INDEX_DIGITS_MAX || (length > 1 && name.charAt(0) == '0')) {
      return NO_INDEX;
    }
    int index = 0;
    for (int i = 0; i < length; i++) {
      char c = name.charAt(i);
      if (c < '0' || c > '9') {
        return NO_INDEX;
      }
      index = index * 10 + (c - '0');
    }
    return index;
  }

  /** How many parts there are; at least one. */
  public int length() {
    return parts.length;
  }

  /** The UTF-8 bytes of a part. Not to be written to. */
  public byte[] part(int i) {
    return parts[i];
  }

  public String name(int i) {
    return names[i];
  }

  /** The array index that a part may also stand for, or -1. */
  public int arrayIndex(int i) {
    return indexes[i];
  }

  public String dotted() {
    return dotted;
  }

  /** Whether the other path leads into what this path leads to. A path is no prefix of itself. */
  public boolean isPrefixOf(FieldPath other) {
    return other.dotted.length() > dotted.length()
        && other.dotted.charAt(dotted.length()) == '.'
        && other.dotted.startsWith(dotted);
  }

  /** The path up to the first part that may be the position in an array. */
  public String withoutPositions() {
    int end = names[0].length();
    for (int i = 1; i < names.length; i++) {
      if (indexes[i] != NO_INDEX) {
        return dotted.substring(0, end);
      }
      end += names[i].length() + 1;
    }
    return dotted;
  }

  /** Everything behind the first part; empty where there is only one. */
  public String tail() {
    return names.length == 1 ? "" : dotted.substring(names[0].length() + 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath that && dotted.equals(that.dotted);
  }

  @Override
  public int hashCode() {
    return dotted.hashCode();
  }

  @Override
  public String toString() {
    return dotted;
  }
}
