package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class AvgAccumulatorTest {
  @Test
  void averagesNumbersAndNothingElse() {
    AccumulatorCases.check(
        """
        [{a: 1, b: 'x', l: {$numberLong: '9223372036854775807'}, m: {$numberDecimal: '1'}},
         {a: 2, b: null, l: {$numberLong: '9223372036854775807'}, m: 2},
         {a: 6, b: [5], m: 0.5}, {}]
        """,
        """
        {$avg: '$a'} => 3.0
        {$avg: '$b'} => null
        {$avg: '$missing'} => null
        {$avg: '$l'} => 9223372036854775807.0
        {$avg: '$m'} => {$numberDecimal: '1.166666666666666666666666666666667'}
        {$avg: 3} => 3.0
        {$avg: ['$a']} !! 40237 The $avg accumulator is a unary operator
        """);
  }
}
