package dev.wisent.replication.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import org.bson.types.ObjectId;

/**
 * A field of a configuration, read with the complaints of MongoDB's parser.
 *
 * @param path such as {@code MemberConfig.votes}
 */
record ConfigField(String path, RawValue value) {
  static ConfigField at(String owner, ElementCursor fields) {
    return new ConfigField(owner + "." + fields.name(), fields.value());
  }

  String string() {
    if (!value.isString()) {
      throw wrongType("string");
    }
    return value.asString();
  }

  boolean bool() {
    if (value.type() != ElementType.BOOLEAN && !value.isNumber()) {
      throw wrongTypes("[bool, long, int, decimal, double]");
    }
    return value.isTruthy();
  }

  double number() {
    requireNumber();
    return value.toDouble();
  }

  long wholeNumber() {
    requireNumber();
    return value.toLong();
  }

  int number(int min, int max) {
    long number = wholeNumber();
    if (number < min) {
      throw outOfBounds(">= " + min, number);
    }
    if (number > max) {
      throw outOfBounds("<= " + max, number);
    }
    return (int) number;
  }

  RawDocument document() {
    if (!value.isDocument()) {
      throw wrongType("object");
    }
    return value.asDocument();
  }

  RawDocument array() {
    if (!value.isArray()) {
      throw wrongType("array");
    }
    return value.asDocument();
  }

  ObjectId objectId() {
    if (value.type() != ElementType.OBJECT_ID) {
      throw wrongType("objectId");
    }
    return value.asObjectId();
  }

  CommandException unknown() {
    return bad("BSON field '" + path + "' is an unknown field.");
  }

  CommandException unsupported(String what) {
    return bad(what + " (" + path + ": " + ValueText.of(value) + ")");
  }

  private CommandException outOfBounds(String bound, long actual) {
    String name = path.substring(path.lastIndexOf('.') + 1);
    return bad(
        "BSON field '" + name + "' value must be " + bound + ", actual value '" + actual + "'");
  }

  private void requireNumber() {
    if (!value.isNumber()) {
      throw wrongTypes("[long, int, decimal, double]");
    }
  }

  private CommandException wrongType(String expected) {
    return wrongType("type '" + expected + "'", value.type());
  }

  private CommandException wrongTypes(String expected) {
    return wrongType("types '" + expected + "'", value.type());
  }

  private CommandException wrongType(String expected, byte actual) {
    return bad(
        "BSON field '"
            + path
            + "' is the wrong type '"
            + ElementType.alias(actual)
            + "', expected "
            + expected);
  }

  static CommandException missing(String path) {
    return bad("BSON field '" + path + "' is missing but a required field");
  }

  static CommandException bad(String message) {
    return new CommandException(ErrorCode.INVALID_REPLICA_SET_CONFIG, message);
  }
}
