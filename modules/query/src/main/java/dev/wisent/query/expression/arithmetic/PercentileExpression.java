package dev.wisent.query.expression.arithmetic;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.query.expression.ArrayBuilder;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.expression.Expression;
import dev.wisent.query.expression.ExpressionParser;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.number.TDigest;
import java.util.Arrays;

/**
 * {@code $percentile} and {@code $median} of an array in one document. It is at hand as a whole, so
 * that the percentiles are exact.
 */
final class PercentileExpression extends Expression {
  private final boolean median;
  private final double[] percentiles;
  private Expression input;

  private PercentileExpression(boolean median, double[] percentiles, Expression input) {
    this.median = median;
    this.percentiles = percentiles;
    this.input = input;
  }

  static Expression parsePercentile(ExpressionParser parser, RawValue argument) {
    var arguments =
        PercentileArguments.parsePercentile(parser, argument, ErrorCode.PERCENTILE_NOT_OBJECT);
    return new PercentileExpression(false, arguments.percentiles(), arguments.input());
  }

  static Expression parseMedian(ExpressionParser parser, RawValue argument) {
    var arguments = PercentileArguments.parseMedian(parser, argument, ErrorCode.MEDIAN_NOT_OBJECT);
    return new PercentileExpression(true, arguments.percentiles(), arguments.input());
  }

  @Override
  public RawValue evaluate(Frame frame) {
    double[] numbers = numbers(input.counted(frame));
    Arrays.sort(numbers);
    if (median) {
      return at(percentiles[0], numbers);
    }
    var out = new ArrayBuilder();
    for (double p : percentiles) {
      out.add(at(p, numbers));
    }
    return out.build();
  }

  private static double[] numbers(RawValue value) {
    if (isCounted(value)) {
      return new double[] {value.toDouble()};
    }
    if (value == null || !value.isArray()) {
      return new double[0];
    }
    double[] numbers = new double[value.asDocument().fieldCount()];
    int count = 0;
    ElementCursor elements = value.elements();
    while (elements.next()) {
      if (isCounted(elements.value())) {
        numbers[count++] = elements.value().toDouble();
      }
    }
    return Arrays.copyOf(numbers, count);
  }

  private static boolean isCounted(RawValue value) {
    return value != null && value.isNumber() && !Double.isNaN(value.toDouble());
  }

  private static RawValue at(double p, double[] sorted) {
    return sorted.length == 0
        ? RawValue.NULL
        : RawValue.ofDouble(sorted[(int) TDigest.rank(sorted.length, p)]);
  }

  @Override
  public Expression optimize() {
    input = input.optimize();
    return this;
  }

  @Override
  public RawValue serialize() {
    var out = new BsonBuilder();
    new PercentileArguments(input, percentiles).explain(median ? "$median" : "$percentile", out);
    return RawValue.ofDocument(out.toDocument());
  }

  @Override
  public void addDependencies(Dependencies dependencies) {
    input.addDependencies(dependencies);
  }
}
