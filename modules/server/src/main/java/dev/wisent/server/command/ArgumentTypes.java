package dev.wisent.server.command;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.List;

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

  public static CommandException wrongType(
      String path, byte actual, String first, String... others) {
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
        ErrorCode.IDL_FAILED_TO_PARSE, "BSON field '" + path + "' is missing but a required field");
  }

  public static CommandException unknown(String path) {
    return new CommandException(
        ErrorCode.IDL_UNKNOWN_FIELD, "BSON field '" + path + "' is an unknown field.");
  }

  /** A word that is none of those which a field may have. */
  public static CommandException notInEnumeration(String path, String word) {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "Enumeration value '" + word + "' for field '" + path + "' is not a valid value.");
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
    return atLeast(0, path, value);
  }

  /** A cluster time, as the 64 bits of a BSON timestamp. */
  public static long timestamp(String path, RawValue value) {
    if (value.type() != ElementType.TIMESTAMP) {
      throw wrongType(path, value.type(), "timestamp");
    }
    return value.asInt64();
  }

  /** A number with a lower bound. As in MongoDB the error has the bare name, not the path. */
  public static long atLeast(long min, String path, RawValue value) {
    long number = wholeNumber(path, value);
    if (number < min) {
      throw outOfBounds(path, ">= " + min, number);
    }
    return number;
  }

  private static CommandException outOfBounds(String path, String bound, long actual) {
    String name = path.substring(path.lastIndexOf('.') + 1);
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "BSON field '" + name + "' value must be " + bound + ", actual value '" + actual + "'");
  }

  /** A boolean and nothing else. */
  public static boolean strictBool(String path, RawValue value) {
    if (value.type() != ElementType.BOOLEAN) {
      throw wrongType(path, value.type(), "bool");
    }
    return value.asBoolean();
  }

  static long maxTimeMillis(String path, RawValue value) {
    if (value.isNullish()) {
      return 0;
    }
    long millis = wholeNumber(path, value);
    if (!isWhole(value)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Expected an integer: maxTimeMS: " + ValueText.of(value));
    }
    if (millis < 0) {
      throw outOfBounds(path, ">= 0", millis);
    }
    if (millis > Integer.MAX_VALUE) {
      throw outOfBounds(path, "<= " + Integer.MAX_VALUE, millis);
    }
    return millis;
  }

  private static boolean isWhole(RawValue number) {
    double exact = number.toDouble();
    return exact == Math.rint(exact) && Math.abs(exact) <= 0x1p63;
  }

  /** The documents in an array; what else it has is left out. */
  static List<RawDocument> documents(RawValue array) {
    if (array == null || !array.isArray()) {
      return List.of();
    }
    var documents = new ArrayList<RawDocument>();
    for (ElementCursor each = array.elements(); each.next(); ) {
      if (each.value().isDocument()) {
        documents.add(each.value().asDocument());
      }
    }
    return documents;
  }
}
