package dev.wisent.pipeline.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;

/** The fields of an argument, with the errors that they have in common. */
final class SpecField {
  private SpecField() {}

  static String string(String path, RawValue value) {
    if (!value.isString()) {
      throw wrongType(path, value, "string");
    }
    return value.asString();
  }

  static RawDocument document(String path, RawValue value) {
    if (!value.isDocument()) {
      throw wrongType(path, value, "object");
    }
    return value.asDocument();
  }

  private static CommandException wrongType(String path, RawValue value, String expected) {
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field '"
            + path
            + "' is the wrong type '"
            + Values.typeName(value)
            + "', expected type '"
            + expected
            + "'");
  }

  static CommandException unknown(String path) {
    return new CommandException(
        ErrorCode.IDL_UNKNOWN_FIELD, "BSON field '" + path + "' is an unknown field.");
  }

  static CommandException missing(String path) {
    return new CommandException(
        ErrorCode.IDL_FAILED_TO_PARSE, "BSON field '" + path + "' is missing but a required field");
  }
}
