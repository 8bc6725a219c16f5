package dev.wisent.query.match;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;

/**
 * {@code $mod}: the value divided by the divisor leaves the remainder. Everything is cut to whole
 * numbers first; the remainder has the sign of the value. Values beyond 64 bits do not match.
 */
public record ModMatch(FieldPath path, long divisor, long remainder, WorkMeter meter)
    implements PathMatch {
  public ModMatch {
    if (divisor == 0) {
      throw MatchErrors.badValue("divisor cannot be 0");
    }
  }

  static MatchExpression parse(MatchParser parser, FieldPath path, Operand operand) {
    if (!operand.value().isArray()) {
      throw MatchErrors.badValue("malformed mod, needs to be an array");
    }
    ElementCursor elements = operand.value().elements();
    RawValue divisor = nextNumber(elements, "divisor");
    RawValue remainder = nextNumber(elements, "remainder");
    if (elements.next()) {
      throw MatchErrors.badValue("malformed mod, too many elements");
    }
    return new ModMatch(
        path, toLong(divisor, "divisor"), toLong(remainder, "remainder"), parser.meter());
  }

  private static RawValue nextNumber(ElementCursor elements, String role) {
    if (!elements.next()) {
      throw MatchErrors.badValue("malformed mod, not enough elements");
    }
    if (!ElementType.isNumber(elements.type())) {
      throw MatchErrors.badValue("malformed mod, " + role + " not a number");
    }
    return elements.value();
  }

  private static long toLong(RawValue number, String role) {
    Long whole = truncated(number);
    if (whole != null) {
      return whole;
    }
    double rough = number.toDouble();
    boolean finite =
        number.type() == ElementType.DECIMAL128
            ? !number.asDecimal128().isNaN() && !number.asDecimal128().isInfinite()
            : Double.isFinite(rough);
    throw MatchErrors.badValue(
        "malformed mod, "
            + role
            + " value is invalid :: caused by :: "
            + (finite
                ? "Out of bounds coercing to integral value"
                : "Unable to coerce NaN/Inf to integral type"));
  }

  /** The number cut towards zero, or null where it does not fit a long. */
  private static Long truncated(RawValue number) {
    if (number.type() == ElementType.DECIMAL128) {
      return IntegerOperand.truncatedLong(number.asDecimal128());
    }
    if (number.type() == ElementType.DOUBLE) {
      double value = number.asDouble();
      if (!(value >= -0x1p63 && value < 0x1p63)) {
        return null;
      }
    }
    return number.toLong();
  }

  @Override
  public String operator() {
    return "$mod";
  }

  @Override
  public boolean matchesValue(RawValue value) {
    if (value == null) {
      return false;
    }
    return switch (value.type()) {
      case ElementType.INT32, ElementType.INT64 -> value.toLong() % divisor == remainder;
      case ElementType.DOUBLE, ElementType.DECIMAL128 -> {
        Long whole = truncated(value);
        yield whole != null && whole % divisor == remainder;
      }
      default -> false;
    };
  }
}
