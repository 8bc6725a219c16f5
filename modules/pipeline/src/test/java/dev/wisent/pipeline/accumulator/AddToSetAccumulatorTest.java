package dev.wisent.pipeline.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ConstantExpression;
import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class AddToSetAccumulatorTest {
  private static final String DOCUMENTS =
      "[{a: 2, s: 'x'}, {a: null, s: 'X'}, {a: 2.0, s: 'y'}, {s: 'x'}, {a: [1, 2]},"
          + " {a: [1.0, 2]}, {a: {b: 1}}, {a: null}]";

  @Test
  void aCollationDecidesWhichStringsAreEqual() {
    AccumulatorCases.check(
        DOCUMENTS,
        "{$addToSet: '$s'} => ['x', 'y']",
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en', strength: 2}"))));
  }

  @Test
  void groupsSideBySideHaveSetsOfTheirOwn() {
    var states = new AddToSetStates(ConstantExpression.MISSING, null);
    for (int group = 0; group < 100; group++) {
      states.start(group, RawDocument.EMPTY);
    }
    for (int i = 0; i < 1000; i++) {
      states.add(i % 100, RawValue.ofInt32(i % 300));
    }
    assertThat(states.result(7).toString()).isEqualTo(list("[7, 107, 207]"));
    states.start(0, RawDocument.EMPTY);
    assertThat(states.result(0).toString()).isEqualTo(list("[]"));
  }

  private static String list(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v").toString();
  }
}
