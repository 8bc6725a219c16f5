package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class SumAccumulatorTest {
  @Test
  void addsNumbersAndNothingElse() {
    AccumulatorCases.check(
        "[{a: 1, b: 'x', n: null}, {a: 2, b: 3}, {a: -5, b: [1, 2]}, {}]",
        """
        {$sum: '$a'} => -2
        {$sum: '$b'} => 3
        {$sum: '$n'} => 0
        {$sum: '$missing'} => 0
        {$sum: 1} => 4
        {$sum: 1.5} => 6.0
        {$sum: {$numberLong: '2'}} => {$numberLong: '8'}
        {$sum: {$multiply: ['$a', 2]}} => -4
        {$sum: 'text'} => 0
        {$sum: ['$a']} !! 40237 The $sum accumulator is a unary operator
        {$sum: {$nonsense: 1}} !! 168 Unrecognized expression '$nonsense'
        """);
  }

  @Test
  void theResultHasTheWidestType() {
    AccumulatorCases.check(
        """
        [{i: 2147483647, l: {$numberLong: '9223372036854775807'}, d: 0.5,
          m: {$numberDecimal: '0.1'}, mix: 1},
         {i: 1, l: {$numberLong: '1'}, d: 0.25, m: {$numberDecimal: '0.2'}, mix: 0.5},
         {i: 0, l: {$numberLong: '-2'}, d: 1, m: 1, mix: {$numberDecimal: '2.0'}}]
        """,
        """
        {$sum: '$i'} => {$numberLong: '2147483648'}
        {$sum: '$l'} => {$numberLong: '9223372036854775806'}
        {$sum: '$d'} => 1.75
        {$sum: '$m'} => {$numberDecimal: '1.3'}
        {$sum: '$mix'} => {$numberDecimal: '3.5'}
        """);
  }

  @Test
  void aLongThatOverflowsBecomesADouble() {
    AccumulatorCases.check(
        "[{a: {$numberLong: '9223372036854775807'}}, {a: 1}]",
        "{$sum: '$a'} => 9223372036854775808.0");
  }

  @Test
  void theOrderOfDoublesDoesNotShow() {
    AccumulatorCases.check(
        "[{a: 1e100, b: 0.1, c: {$numberDouble: 'Infinity'}},"
            + " {a: 1.0, b: 0.2, c: {$numberDouble: '-Infinity'}},"
            + " {a: -1e100, b: 0.3, c: 1}]",
        """
        {$sum: '$a'} => 1.0
        {$sum: '$b'} => 0.6
        {$sum: '$c'} => {$numberDouble: 'NaN'}
        """);
  }

  @Test
  void countsDocuments() {
    AccumulatorCases.check(
        "[{}, {a: 1}, {b: 2}]",
        """
        {$count: {}} => 3
        {$count: 1} !! 14 $count takes no arguments, i.e. $count:{}
        {$count: {a: 1}} !! 14 $count takes no arguments, i.e. $count:{}
        """);
  }
}
