package dev.wisent.query.schema;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.match.IntegerOperand;
import dev.wisent.query.match.Operand;

/**
 * A keyword with its argument, as it stands in a schema.
 *
 * @param schema where it stands; some keywords look at others
 * @param top whether the schema is about whole documents, not about a property
 * @param meter counts the work of what is made of the schema
 */
record Keyword(String name, RawValue value, RawDocument schema, boolean top, WorkMeter meter) {
  /** Another keyword of the schema, or null. */
  Keyword sibling(String other) {
    RawValue found = schema.get(other);
    return found == null ? null : new Keyword(other, found, schema, top, meter);
  }

  RawValue number() {
    if (!value.isNumber()) {
      throw wrongType("must be a number");
    }
    return value;
  }

  boolean bool() {
    if (value.type() != ElementType.BOOLEAN) {
      throw wrongType("must be a boolean");
    }
    return value.asBoolean();
  }

  RawDocument object() {
    if (!value.isDocument()) {
      throw wrongType("must be an object");
    }
    return value.asDocument();
  }

  /** The argument of {@code minLength} and the like. */
  long count() {
    return IntegerOperand.toNonNegativeLong(new Operand(name, value, schema));
  }

  CommandException wrongType(String problem) {
    return new CommandException(ErrorCode.TYPE_MISMATCH, text(problem));
  }

  CommandException failedToParse(String problem) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, text(problem));
  }

  CommandException badValue(String problem) {
    return new CommandException(ErrorCode.BAD_VALUE, text(problem));
  }

  private String text(String problem) {
    return "$jsonSchema keyword '" + name + "' " + problem;
  }

  static String typeOf(RawValue value) {
    return ElementType.alias(value.type());
  }
}
