package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.arithmetic.NumberText;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import java.util.stream.IntStream;

/**
 * {@code $type}: the value is of one of the types.
 *
 * @param types one bit for each type that matches, see {@link #accepts}
 */
public record TypeMatch(FieldPath path, long types, WorkMeter meter) implements PathMatch {
  private static final long NUMBERS =
      bit(ElementType.INT32)
          | bit(ElementType.INT64)
          | bit(ElementType.DOUBLE)
          | bit(ElementType.DECIMAL128);

  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    long types = 0;
    if (operand.value().isArray()) {
      ElementCursor elements = operand.value().elements();
      while (elements.next()) {
        types |= typesOf(new Operand(elements.name(), elements.value(), operand.siblings()));
      }
    } else {
      types = typesOf(operand);
    }
    if (types == 0) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, path.dotted() + " must match at least one type");
    }
    return new TypeMatch(path, types, parser.meter());
  }

  private static long typesOf(Operand operand) {
    if (operand.value().isString()) {
      return typesOfAlias(operand.value().asString());
    }
    if (operand.value().isNumber()) {
      return typeOfCode(operand);
    }
    throw new CommandException(
        ErrorCode.TYPE_MISMATCH, "type must be represented as a number or a string");
  }

  /** The bits of the types that an alias stands for. */
  public static long typesOfAlias(String alias) {
    if (alias.equals("number")) {
      return NUMBERS;
    }
    if (alias.equals("missing")) {
      throw MatchErrors.badValue(
          "'missing' is not a legal type name. To query for non-existence of a field, use"
              + " {$exists:false}.");
    }
    return IntStream.rangeClosed(Byte.MIN_VALUE, Byte.MAX_VALUE)
        .filter(type -> ElementType.isKnown((byte) type))
        .filter(type -> ElementType.alias((byte) type).equals(alias))
        .mapToLong(type -> bit((byte) type))
        .findFirst()
        .orElseThrow(() -> unknownAlias(alias));
  }

  public static CommandException unknownAlias(String alias) {
    return MatchErrors.badValue("Unknown type name alias: " + alias);
  }

  private static long typeOfCode(Operand operand) {
    String problem = "Invalid numerical type code: " + NumberText.of(operand.value().toDouble());
    int code;
    try {
      code = IntegerOperand.toInt(operand);
    } catch (CommandException e) {
      throw MatchErrors.badValue(problem);
    }
    if (code == 0) {
      throw MatchErrors.badValue(problem + ". Instead use {$exists:false}.");
    }
    if (code != (byte) code || !ElementType.isKnown((byte) code)) {
      throw MatchErrors.badValue(problem);
    }
    return bit((byte) code);
  }

  /** Types 1 to 19 have bits 1 to 19; MinKey (-1) and MaxKey (127) both fall on 63 unless moved. */
  private static long bit(byte type) {
    return type == ElementType.MIN_KEY ? 1L << 62 : 1L << (type & 63);
  }

  /** Whether values of a type match. */
  public boolean accepts(byte type) {
    return (types & bit(type)) != 0;
  }

  /** Whether all kinds of numbers match, as {@code "number"} says. */
  boolean acceptsNumbers() {
    return (types & NUMBERS) == NUMBERS;
  }

  /** Whether all kinds of numbers match, and nothing else. */
  public boolean acceptsOnlyNumbers() {
    return types == NUMBERS;
  }

  public boolean acceptsSomeNumber() {
    return (types & NUMBERS) != 0;
  }

  @Override
  public String operator() {
    return "$type";
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return value != null && accepts(value.type());
  }
}
