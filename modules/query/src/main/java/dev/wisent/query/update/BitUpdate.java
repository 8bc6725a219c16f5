package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** {@code $bit}: and, or, xor with integers, one after the other. */
record BitUpdate(List<BitOperation> steps) implements FieldOperator {
  private static final RawValue ZERO = RawValue.ofInt32(0);

  /** One operation; a long operand makes the result a long. */
  record BitOperation(LongBinaryOperator operation, long operand, boolean isLong) {}

  BitUpdate {
    steps = List.copyOf(steps);
  }

  static BitUpdate parse(RawValue argument) {
    if (!argument.isDocument()) {
      // The unbalanced braces here and below are MongoDB's.
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The $bit modifier is not compatible with a "
              + ElementType.alias(argument.type())
              + ". You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}");
    }
    var steps = new ArrayList<BitOperation>(1);
    ElementCursor cursor = argument.elements();
    while (cursor.next()) {
      steps.add(parseStep(cursor.name(), cursor.value()));
    }
    if (steps.isEmpty()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "You must pass in at least one bitwise operation. The format is: "
              + "{$bit: {field: {and/or/xor: #}}");
    }
    return new BitUpdate(steps);
  }

  private static BitOperation parseStep(String name, RawValue operand) {
    LongBinaryOperator operation =
        switch (name) {
          case "and" -> (a, b) -> a & b;
          case "or" -> (a, b) -> a | b;
          case "xor" -> (a, b) -> a ^ b;
          default ->
              throw new CommandException(
                  ErrorCode.BAD_VALUE,
                  "The $bit modifier only supports 'and', 'or', and 'xor', not '"
                      + name
                      + "' which is an unknown operator: {"
                      + ElementText.of(name, operand)
                      + "}");
        };
    if (!isInteger(operand)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The $bit modifier field must be an Integer(32/64 bit); a '"
              + ElementType.alias(operand.type())
              + "' is not supported here: {"
              + ElementText.of(name, operand)
              + "}");
    }
    return new BitOperation(operation, operand.toLong(), operand.type() == ElementType.INT64);
  }

  @Override
  public RawValue modify(RawValue current, Target target) {
    if (!isInteger(current)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot apply $bit to a value of non-integral type."
              + target.documentId()
              + " has the field "
              + target.field()
              + " of non-integer type "
              + ElementType.alias(current.type()));
    }
    RawValue result = apply(current);
    return result.equals(current) ? null : result;
  }

  @Override
  public RawValue create() {
    return apply(ZERO);
  }

  private RawValue apply(RawValue current) {
    long bits = current.toLong();
    boolean isLong = current.type() == ElementType.INT64;
    for (BitOperation step : steps) {
      bits = step.operation().applyAsLong(bits, step.operand());
      isLong |= step.isLong();
    }
    return isLong ? RawValue.ofInt64(bits) : RawValue.ofInt32((int) bits);
  }

  private static boolean isInteger(RawValue value) {
    return value.type() == ElementType.INT32 || value.type() == ElementType.INT64;
  }
}
