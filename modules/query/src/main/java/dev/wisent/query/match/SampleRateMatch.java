package dev.wisent.query.match;

import dev.wisent.bson.RawValue;
import java.util.function.DoubleSupplier;

/** {@code $sampleRate}: lets each document pass with a probability. */
public record SampleRateMatch(double rate, DoubleSupplier random) implements MatchExpression {
  static MatchExpression parse(MatchParser parser, Operand operand) {
    if (parser.isInSubdocument()) {
      throw MatchErrors.badValue("$sampleRate can only be applied to the top-level document");
    }
    if (!operand.value().isNumber()) {
      throw MatchErrors.badValue("argument to $sampleRate must be a numeric type");
    }
    double rate = operand.value().toDouble();
    if (!(rate >= 0 && rate <= 1)) {
      throw MatchErrors.badValue("numeric argument to $sampleRate must be in [0, 1]");
    }
    if (rate == 0 || rate == 1) {
      return rate == 0 ? AlwaysMatch.FALSE : AlwaysMatch.TRUE;
    }
    return new SampleRateMatch(rate, parser.context().random());
  }

  @Override
  public boolean matches(RawValue root, int boundParts, MatchDetails details) {
    return random.getAsDouble() < rate;
  }

  @Override
  public boolean matchesValue(RawValue value) {
    return random.getAsDouble() < rate;
  }
}
