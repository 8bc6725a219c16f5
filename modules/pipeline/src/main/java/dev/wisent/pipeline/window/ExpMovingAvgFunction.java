package dev.wisent.pipeline.window;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.Values;
import dev.wisent.query.number.Decimals;
import org.bson.types.Decimal128;

/**
 * {@code $expMovingAvg}: an average in which each value counts for less than the one after it. What
 * is no number leaves it as it is.
 *
 * @param n how many values count for most of it; null where the weight was given
 * @param alpha the weight of a new value
 */
record ExpMovingAvgFunction(Expression input, RawValue n, Decimal128 alpha)
    implements WindowFunction {
  private static final String NAME = "$expMovingAvg";
  private static final String FIELDS =
      "$expMovingAvg sub object must have exactly two fields: An 'input' field, and either an 'N'"
          + " field or an 'alpha' field";
  private static final Decimal128 ONE = new Decimal128(1);

  static WindowFunction parse(FunctionSpec spec) {
    RawValue argument = spec.fields().get(NAME);
    FunctionSpec.require(
        spec.fields().fieldCount() == 1 && argument.isDocument(),
        "$expMovingAvg must have exactly one argument that is an object");
    RawDocument fields = argument.asDocument();
    RawValue input = fields.get("input");
    FunctionSpec.require(fields.fieldCount() == 2 && input != null, FIELDS);
    FunctionSpec.require(spec.sortBy() != null, "$expMovingAvg requires an explicit 'sortBy'");
    Expression parsed = spec.parse(input);
    RawValue n = fields.get("N");
    RawValue alpha = fields.get("alpha");
    if (n != null) {
      return ofCount(parsed, n);
    }
    FunctionSpec.require(alpha != null, "Got unrecognized field in $expMovingAvg" + FIELDS);
    return ofWeight(parsed, alpha);
  }

  private static WindowFunction ofCount(Expression input, RawValue n) {
    FunctionSpec.require(
        n.isNumber(), "'N' field must be an integer, but found type " + Values.typeName(n));
    double number = n.toDouble();
    FunctionSpec.require(
        number == Math.floor(number),
        "'N' field must be an integer, but found  N: "
            + ValueText.of(n)
            + ". To use a non-integer, use the 'alpha' argument instead");
    long count = n.toLong();
    FunctionSpec.require(count > 0, "'N' must be greater than zero. Got " + count);
    Decimal128 alpha = Decimals.divide(new Decimal128(2), Decimals.add(new Decimal128(count), ONE));
    return new ExpMovingAvgFunction(input, RawValue.ofInt64(count), alpha);
  }

  private static WindowFunction ofWeight(Expression input, RawValue alpha) {
    FunctionSpec.require(alpha.isNumber(), "'alpha' must be a number");
    Decimal128 weight = Decimals.of(alpha);
    FunctionSpec.require(
        Decimals.signum(weight) > 0 && Decimals.signum(Decimals.subtract(ONE, weight)) > 0,
        "'alpha' must be between 0 and 1 (exclusive), found alpha: " + ValueText.of(alpha));
    return new ExpMovingAvgFunction(input, null, weight);
  }

  @Override
  public RunningFunction begin() {
    return new Running();
  }

  @Override
  public void explain(BsonBuilder out) {
    out.startDocument(NAME);
    if (n != null) {
      out.append("N", n);
    } else {
      out.appendDecimal128("alpha", alpha);
    }
    out.append("input", input.serialize()).end();
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }

  private final class Running extends RunningFunction {
    private final double weight = alpha.doubleValue();
    private RawValue average;

    @Override
    void restart() {
      average = null;
    }

    @Override
    RawValue next(Partition partition) {
      RawValue value = input.evaluate(partition.frame(partition.position()));
      if (value != null && value.isNumber()) {
        average = average == null ? value.detached() : weighted(value);
      }
      return Values.nullIfMissing(average);
    }

    private RawValue weighted(RawValue value) {
      boolean decimal =
          value.type() == ElementType.DECIMAL128 || average.type() == ElementType.DECIMAL128;
      if (decimal) {
        Decimal128 present = Decimals.multiply(Decimals.of(value), alpha);
        Decimal128 past = Decimals.multiply(Decimals.of(average), Decimals.subtract(ONE, alpha));
        return RawValue.ofDecimal128(Decimals.add(present, past));
      }
      return RawValue.ofDouble(value.toDouble() * weight + average.toDouble() * (1.0 - weight));
    }
  }
}
