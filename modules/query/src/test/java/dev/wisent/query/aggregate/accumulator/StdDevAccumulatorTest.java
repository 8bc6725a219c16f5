package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class StdDevAccumulatorTest {
  @Test
  void measuresHowFarNumbersLieApart() {
    AccumulatorCases.check(
        "[{a: 2, b: 5, s: 'x', m: {$numberDecimal: '1'}}, {a: 4}, {a: 4.0, m: 3}, {a: 4},"
            + " {a: {$numberLong: '5'}}, {a: 5, s: [1]}, {a: 7}, {a: 9, s: null}]",
        """
        {$stdDevPop: '$a'} => 2.0
        {$stdDevPop: '$b'} => 0.0
        {$stdDevSamp: '$b'} => null
        {$stdDevPop: '$s'} => null
        {$stdDevSamp: '$missing'} => null
        {$stdDevPop: '$m'} => 1.0
        {$stdDevSamp: {$multiply: ['$m', 0.5]}} => 0.7071067811865476
        {$stdDevPop: ['$a']} !! 40237 The $stdDevPop accumulator is a unary operator
        {$stdDevSamp: ['$a']} !! 40237 The $stdDevSamp accumulator is a unary operator
        """);
  }
}
