package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ExpressionRow;
import dev.wisent.query.expression.ExpressionRow.Family;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.DecimalMath;
import dev.wisent.query.number.Decimals;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import org.bson.types.Decimal128;

/** The table of trigonometric functions. Those of a decimal are decimals, all others doubles. */
final class Trigonometry {
  static final List<ExpressionRow> ROWS =
      List.of(
          row("$sin", Math::sin, DecimalMath::sin, Bounds.FINITE),
          row("$cos", Math::cos, DecimalMath::cos, Bounds.FINITE),
          row("$tan", Math::tan, DecimalMath::tan, Bounds.FINITE),
          row("$asin", Math::asin, DecimalMath::asin, Bounds.UNIT),
          row("$acos", Math::acos, DecimalMath::acos, Bounds.UNIT),
          row("$atan", Math::atan, DecimalMath::atan, Bounds.ALL),
          row("$sinh", Math::sinh, DecimalMath::sinh, Bounds.ALL),
          row("$cosh", Math::cosh, DecimalMath::cosh, Bounds.ALL),
          row("$tanh", Math::tanh, DecimalMath::tanh, Bounds.ALL),
          row("$asinh", Trigonometry::asinh, DecimalMath::asinh, Bounds.ALL),
          row("$acosh", Trigonometry::acosh, DecimalMath::acosh, Bounds.FROM_ONE),
          row("$atanh", Trigonometry::atanh, DecimalMath::atanh, Bounds.UNIT),
          row("$degreesToRadians", Trigonometry::toRadians, DecimalMath::toRadians, Bounds.ALL),
          row("$radiansToDegrees", Trigonometry::toDegrees, DecimalMath::toDegrees, Bounds.ALL),
          ExpressionRow.binary("$atan2", Family.TRIGONOMETRY, "4.2", Trigonometry::atan2));

  private static final double LN_2 = Math.log(2);

  /** What a function is defined for. */
  private enum Bounds {
    ALL(""),
    FINITE("(-inf,inf)"),
    UNIT("[-1,1]"),
    FROM_ONE("[1,inf]");

    private final String text;

    Bounds(String text) {
      this.text = text;
    }

    boolean contains(double x) {
      return switch (this) {
        case ALL -> true;
        case FINITE -> !Double.isInfinite(x);
        case UNIT -> x >= -1 && x <= 1;
        case FROM_ONE -> x >= 1;
      };
    }
  }

  private Trigonometry() {}

  private static ExpressionRow row(
      String name, DoubleUnaryOperator real, UnaryOperator<Decimal128> decimal, Bounds bounds) {
    return NumberFunctions.row(
        name,
        Family.TRIGONOMETRY,
        "4.2",
        value -> {
          double x = value.toDouble();
          if (Double.isNaN(x)) {
            return value;
          }
          if (!bounds.contains(x)) {
            throw new CommandException(
                ErrorCode.TRIGONOMETRY_RANGE,
                "cannot apply "
                    + name
                    + " to "
                    + (value.type() == ElementType.DECIMAL128
                        ? value.asDecimal128().toString()
                        : NumberText.of(x))
                    + ", value must be in "
                    + bounds.text);
          }
          return value.type() == ElementType.DECIMAL128
              ? RawValue.ofDecimal128(decimal.apply(value.asDecimal128()))
              : RawValue.ofDouble(real.applyAsDouble(x));
        });
  }

  private static double asinh(double x) {
    double magnitude = Math.abs(x);
    double result =
        magnitude > 0x1p28
            ? Math.log(magnitude) + LN_2
            : Math.log1p(
                magnitude + magnitude * magnitude / (1 + Math.sqrt(magnitude * magnitude + 1)));
    return Math.copySign(result, x);
  }

  private static double acosh(double x) {
    return Math.log(x + Math.sqrt(x - 1) * Math.sqrt(x + 1));
  }

  private static double atanh(double x) {
    return 0.5 * (Math.log1p(x) - Math.log1p(-x));
  }

  private static double toRadians(double degrees) {
    return degrees * (Math.PI / 180);
  }

  private static double toDegrees(double radians) {
    return radians * (180 / Math.PI);
  }

  private static RawValue atan2(RawValue y, RawValue x) {
    if (Values.isNullish(y)) {
      return RawValue.NULL;
    }
    requireNumber(ErrorCode.ATAN2_FIRST_TYPE, y);
    if (Values.isNullish(x)) {
      return RawValue.NULL;
    }
    requireNumber(ErrorCode.ATAN2_SECOND_TYPE, x);
    return Arithmetic.widest(y, x) == ElementType.DECIMAL128
        ? RawValue.ofDecimal128(DecimalMath.atan2(Decimals.of(y), Decimals.of(x)))
        : RawValue.ofDouble(Math.atan2(y.toDouble(), x.toDouble()));
  }

  private static void requireNumber(ErrorCode code, RawValue value) {
    if (!value.isNumber()) {
      throw new CommandException(
          code, "$atan2 only supports numeric types, not " + Values.typeName(value));
    }
  }
}
