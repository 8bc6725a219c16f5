package dev.wisent.query.aggregate.accumulator;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.expression.ExpressionCases;
import org.junit.jupiter.api.Test;

class MinNAccumulatorTest {
  private static final String DOCUMENTS =
      "[{a: 5, s: 'b'}, {a: 1, s: 'C'}, {a: null, s: 'a'}, {}, {a: 3}, {a: 1.0}, {a: 'x'}, {a:"
          + " 5.0}]";

  @Test
  void takesTheSmallestOrLargestValues() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$minN: {n: 3, input: '$a'}} => [1, 1.0, 3]
        {$minN: {n: 1, input: '$a'}} => [1]
        {$maxN: {n: 2, input: '$a'}} => ['x', 5]
        {$maxN: {n: 99, input: '$a'}} => ['x', 5.0, 5, 3, 1.0, 1]
        {$minN: {n: 2, input: '$missing'}} => []
        {$minN: {n: 2, input: '$s'}} => ['C', 'a']
        {$minN: 1} !! 5787900 specification must be an object; found $minN: 1
        {$maxN: 1} !! 5787900 specification must be an object; found $maxN: 1
        {$maxN: {n: 1, input: '$a', x: 1}} !! 5787901 Unknown argument for 'n' operator: x
        {$minN: {input: '$a'}} !! 5787906 Missing value for 'n'
        {$minN: {n: 0, input: '$a'}} !! 5787908 'n' must be greater than 0, found 0
        """);
  }

  @Test
  void aCollationOrdersStrings() {
    AccumulatorCases.check(
        DOCUMENTS,
        "{$minN: {n: 2, input: '$s'}} => ['a', 'b']",
        ExpressionCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en'}"))));
  }
}
