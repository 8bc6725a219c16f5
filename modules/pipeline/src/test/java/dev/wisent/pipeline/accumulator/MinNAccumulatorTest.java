package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class MinNAccumulatorTest {
  private static final String DOCUMENTS =
      "[{a: 5, s: 'b'}, {a: 1, s: 'C'}, {a: null, s: 'a'}, {}, {a: 3}, {a: 1.0}, {a: 'x'}, {a:"
          + " 5.0}]";

  @Test
  void aCollationOrdersStrings() {
    AccumulatorCases.check(
        DOCUMENTS,
        "{$minN: {n: 2, input: '$s'}} => ['a', 'b']",
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en'}"))));
  }
}
