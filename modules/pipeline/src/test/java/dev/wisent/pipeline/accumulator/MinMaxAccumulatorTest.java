package dev.wisent.pipeline.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class MinMaxAccumulatorTest {
  private static final String DOCUMENTS =
      """
      [{a: 3, s: 'b', mix: 'x', d: {$date: 1000}, n: null, long: 'a long string'},
       {a: {$numberLong: '1'}, s: 'A', mix: 1, d: {$date: 500}, long: 'a longer string'},
       {a: 1.0, s: 'a', mix: [7], d: {$date: 2000}, long: 'short'},
       {a: null, s: null, mix: {x: 1}}]
      """;

  @Test
  void aCollationDecidesWhichStringIsLarger() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$min: '$s'} => 'A'
        {$max: '$s'} => 'b'
        """,
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en', strength: 1}"))));
    AccumulatorCases.check(
        "[{s: 'a'}, {s: 'B'}]",
        "{$max: '$s'} => 'B'",
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en'}"))));
  }
}
