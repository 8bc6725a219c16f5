package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** Checks of argument types, with the errors of MongoDB's command parser. */
public final class ArgumentTypes {
  private ArgumentTypes() {}

  /** A field's type is not the expected one; {@code path} is {@code command.field}. */
  public static CommandException wrongType(String path, byte actual, String expected) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + ElementType.alias(actual)
            + "', expected type '"
            + expected
            + "'");
  }

  static CommandException wrongType(String path, byte actual, String first, String... others) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + ElementType.alias(actual)
            + "', expected types '["
            + first
            + ", "
            + String.join(", ", others)
            + "]'");
  }

  public static CommandException missing(String path) {
    return new CommandException(
        ErrorCode.IDL_FAILED_TO_PARSE,
        "BSON field '" + path + "' is missing but a required field");
  }

  public static CommandException unknown(String path) {
    return new CommandException(
        ErrorCode.IDL_UNKNOWN_FIELD, "BSON field '" + path + "' is an unknown field.");
  }

  public static String string(String path, RawValue value) {
    if (value.type() != ElementType.STRING) {
      throw wrongType(path, value.type(), "string");
    }
    return value.asString();
  }

  public static RawDocument document(String path, RawValue value) {
    if (value.type() != ElementType.DOCUMENT) {
      throw wrongType(path, value.type(), "object");
    }
    return value.asDocument();
  }

  public static RawDocument array(String path, RawValue value) {
    if (value.type() != ElementType.ARRAY) {
      throw wrongType(path, value.type(), "array");
    }
    return value.asDocument();
  }

  /** A boolean; numbers are accepted too, as MongoDB's "safe bool" fields do. */
  public static boolean bool(String path, RawValue value) {
    if (value.type() != ElementType.BOOLEAN && !value.isNumber()) {
      throw wrongType(path, value.type(), "bool", "long", "int", "decimal", "double");
    }
    return value.isTruthy();
  }

  /** Any number that is a whole one, as a long. */
  public static long wholeNumber(String path, RawValue value) {
    if (!value.isNumber()) {
      throw wrongType(path, value.type(), "long", "int", "decimal", "double");
    }
    return value.toLong();
  }

  public static long nonNegative(String path, RawValue value) {
    long number = wholeNumber(path, value);
    if (number < 0) {
      throw new CommandException(
          ErrorCode.NEGATIVE_LIMIT,
          "BSON field '" + path + "' value must be >= 0, actual value '" + number + "'");
    }
    return number;
  }

  static long maxTimeMillis(RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "maxTimeMS must be a number");
    }
    double exact = value.toDouble();
    if (exact < 0 || exact > Integer.MAX_VALUE) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          (long) exact + " value for maxTimeMS is out of range [0, " + Integer.MAX_VALUE + "]");
    }
    if (exact != Math.rint(exact)) {
      throw new CommandException(ErrorCode.BAD_VALUE, "maxTimeMS has non-integral value");
    }
    return (long) exact;
  }
}
