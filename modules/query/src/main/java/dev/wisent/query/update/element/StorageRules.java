package dev.wisent.query.update.element;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.function.Predicate;

/**
 * What may be stored: how deep documents nest, where names may begin with a dollar sign, and which
 * values an {@code _id} may have. As MongoDB since 5.0, where dollar signs and dots are free almost
 * everywhere.
 */
public final class StorageRules {
  /** A nested document takes at least this: type, empty name, length and end. */
  private static final int NESTED_BYTES_MIN = 7;

  private StorageRules() {}

  /** How many levels lie below a value: 0 for {@code 1} and for <code>{}</code>. */
  public static int depthBelow(RawValue value) {
    return value.isDocument() || value.isArray() ? depthBelow(value.elements()) : 0;
  }

  private static int depthBelow(ElementCursor cursor) {
    int depth = 0;
    while (cursor.next()) {
      int below = 0;
      if (cursor.type() == ElementType.DOCUMENT || cursor.type() == ElementType.ARRAY) {
        below = depthBelow(cursor.value().elements());
      }
      depth = Math.max(depth, below + 1);
    }
    return depth;
  }

  /**
   * Whether elements of the document lie more than {@code levels} deep; usually looks at little.
   */
  public static boolean isDeeperThan(RawDocument document, int levels) {
    return canExceed(document.length(), levels) && exceeds(document.elements(), levels);
  }

  private static boolean exceeds(ElementCursor cursor, int levels) {
    while (cursor.next()) {
      if (levels == 0) {
        return true;
      }
      boolean nested = cursor.type() == ElementType.DOCUMENT || cursor.type() == ElementType.ARRAY;
      if (nested
          && canExceed(cursor.valueLength(), levels - 1)
          && exceeds(cursor.value().elements(), levels - 1)) {
        return true;
      }
    }
    return false;
  }

  /** So short a document cannot nest that deep, whatever is in it. */
  private static boolean canExceed(int documentBytes, int levels) {
    return documentBytes > levels * NESTED_BYTES_MIN;
  }

  public static void checkLevel(int level) {
    if (level > Limits.NESTING_DEPTH_MAX) {
      throw tooDeep();
    }
  }

  public static void checkDepth(RawDocument document) {
    if (isDeeperThan(document, Limits.NESTING_DEPTH_MAX)) {
      throw tooDeep();
    }
  }

  private static CommandException tooDeep() {
    return new CommandException(
        ErrorCode.OVERFLOW,
        "Document exceeds maximum nesting depth of " + Limits.NESTING_DEPTH_MAX);
  }

  /** Refuses top-level names that begin with a dollar sign, except the parts of a DBRef. */
  public static void checkTopLevelNames(RawDocument document) {
    checkNames(document, "", UPDATE_NAME, name -> true);
  }

  /** The same for the fields that an update touched; others may have been inserted legally. */
  public static void checkTopLevelNames(RawDocument document, Predicate<String> touched) {
    checkNames(document, "", UPDATE_NAME, touched);
  }

  /** Checks an {@code _id} that an update or upsert produced. */
  public static void checkUpdatedId(RawValue id) {
    checkIdType(id);
    if (id.isDocument()) {
      checkNames(id.asDocument(), "_id.", UPDATE_NAME, name -> true);
    }
  }

  /** Checks the {@code _id} of an inserted document; here the rule holds at every level. */
  public static void checkInsertedId(RawValue id) {
    checkIdType(id);
    if (id.isDocument()) {
      checkInsertedIdNames(id);
    }
  }

  private static void checkInsertedIdNames(RawValue value) {
    if (value.isDocument()) {
      checkNames(value.asDocument(), "", INSERTED_ID_NAME, name -> true);
    }
    ElementCursor cursor = value.elements();
    while (cursor.next()) {
      if (cursor.type() == ElementType.DOCUMENT || cursor.type() == ElementType.ARRAY) {
        checkInsertedIdNames(cursor.value());
      }
    }
  }

  private static void checkIdType(RawValue id) {
    byte type = id.type();
    if (type == ElementType.ARRAY || type == ElementType.REGEX || type == ElementType.UNDEFINED) {
      throw new CommandException(
          ErrorCode.INVALID_ID_FIELD,
          "The '_id' value cannot be of type " + ElementType.alias(type));
    }
  }

  /** The message for a dollar sign where none may be. */
  private interface BadName {
    String message(String name, String path);
  }

  private static final BadName UPDATE_NAME =
      (name, path) ->
          "The dollar ($) prefixed field '"
              + name
              + "' in '"
              + path
              + "' is not allowed in the context of an update's replacement document. Consider"
              + " using an aggregation pipeline with $replaceWith.";

  private static final BadName INSERTED_ID_NAME =
      (name, path) ->
          "_id fields may not contain '$'-prefixed fields: " + name + " is not valid for storage.";

  private static void checkNames(
      RawDocument document, String prefix, BadName badName, Predicate<String> concerned) {
    ElementCursor cursor = document.elements();
    String previous = "";
    while (cursor.next()) {
      String name = cursor.nameStartsWith('$') ? cursor.name() : "";
      if ("$ref".equals(previous) && !"$id".equals(name) && concerned.test(previous)) {
        throw referenceWithoutId();
      }
      if (!name.isEmpty() && concerned.test(name)) {
        checkName(cursor, name, previous, prefix, badName);
      }
      previous = name;
    }
    if ("$ref".equals(previous) && concerned.test(previous)) {
      throw referenceWithoutId();
    }
  }

  private static void checkName(
      ElementCursor cursor, String name, String previous, String prefix, BadName badName) {
    switch (name) {
      case "$ref" -> checkString(cursor, "$ref");
      case "$id" -> checkAfter(previous, "$ref", "Found $id field without a $ref before it");
      case "$db" -> {
        checkString(cursor, "$db");
        checkAfter(previous, "$id", "Found $db field without a $id before it");
      }
      default ->
          throw new CommandException(
              ErrorCode.DOLLAR_PREFIXED_FIELD_NAME, badName.message(name, prefix + name));
    }
  }

  private static CommandException referenceWithoutId() {
    return new CommandException(
        ErrorCode.INVALID_DB_REF, "The DBRef $ref field must be followed by a $id field");
  }

  private static void checkString(ElementCursor cursor, String name) {
    if (cursor.type() != ElementType.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_DB_REF,
          "The DBRef "
              + name
              + " field must be a String, not a "
              + ElementType.alias(cursor.type()));
    }
  }

  private static void checkAfter(String previous, String expected, String problem) {
    if (!previous.equals(expected)) {
      throw new CommandException(ErrorCode.INVALID_DB_REF, problem + ", which is invalid.");
    }
  }
}
