package dev.wisent.query.expression.convert;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.Values;

/**
 * What {@code $convert} is to make.
 *
 * @param type 0 for {@code missing}, which nothing can be made into
 * @param subtype of a binary
 */
record ConvertTarget(byte type, int subtype) {
  static final byte MISSING = 0;

  /** Reads a name, a number, or <code>{type: …, subtype: …}</code>. */
  static ConvertTarget of(RawValue to) {
    if (!to.isDocument()) {
      return new ConvertTarget(type(to), 0);
    }
    RawValue type = to.asDocument().get("type");
    RawValue subtype = to.asDocument().get("subtype");
    if (type == null) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Missing 'type' field in 'to' argument of $convert");
    }
    if (subtype != null && !Values.isInt32(subtype)) {
      throw new CommandException(
          ErrorCode.CONVERT_SUBTYPE_TYPE,
          "In $convert, numeric 'subtype' argument is not an integer");
    }
    return new ConvertTarget(type(type), subtype == null ? 0 : (int) subtype.toLong());
  }

  private static byte type(RawValue value) {
    if (value.isString()) {
      return ofName(value.asString());
    }
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "$convert's 'to' argument must be a string or number, but is " + Values.typeName(value));
    }
    if (!Values.isInt32(value)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "In $convert, numeric 'to' argument is not an integer");
    }
    long code = value.toLong();
    boolean known = code >= Byte.MIN_VALUE && code <= Byte.MAX_VALUE;
    if (!known || (code != 0 && !ElementType.isKnown((byte) code))) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "In $convert, numeric value for 'to' does not correspond to a BSON type: " + code);
    }
    return (byte) code;
  }

  private static byte ofName(String name) {
    if (name.equals("missing")) {
      return MISSING;
    }
    for (int code = Byte.MIN_VALUE; code <= Byte.MAX_VALUE; code++) {
      if (ElementType.isKnown((byte) code) && ElementType.alias((byte) code).equals(name)) {
        return (byte) code;
      }
    }
    throw new CommandException(ErrorCode.BAD_VALUE, "Unknown type name: " + name);
  }

  static String name(byte type) {
    return type == MISSING ? "missing" : ElementType.alias(type);
  }
}
