package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class PercentileAccumulatorTest {
  private static final String DOCUMENTS =
      """
      [{a: 3, s: 'x', i: {$numberDouble: 'Infinity'}}, {a: 1, s: [1], i: {$numberDouble: '-Infinity'}},
       {a: 2.5, i: {$numberDouble: 'NaN'}}, {a: {$numberLong: '10'}, i: 4}, {a: null}, {}, {a: 'x'}]
      """;

  @Test
  void fewNumbersGiveExactResults() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$percentile: {input: '$a', p: [0, 0.25, 0.5, 0.75, 1], method: 'approximate'}} => [1.0, 1.0, 2.5, 3.0, 10.0]
        {$percentile: {input: '$i', p: [0, 0.5, 1], method: 'approximate'}} => [{$numberDouble: '-Infinity'}, 4.0, {$numberDouble: 'Infinity'}]
        {$percentile: {input: '$s', p: [0.5, 0.9], method: 'approximate'}} => [null, null]
        {$percentile: {input: 7, p: [0.1], method: 'approximate'}} => [7.0]
        {$median: {input: '$a', method: 'approximate'}} => 2.5
        {$median: {input: '$missing', method: 'approximate'}} => null
        """);
  }

  @Test
  void refuses() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$percentile: 1} !! 7429703 specification must be an object; found $percentile: 1
        {$median: 1} !! 7436100 specification must be an object; found $median: 1
        {$percentile: {input: '$a', p: [0.5], method: 'discrete'}} !! 2 Currently only 'approximate' can be used as percentile 'method'.
        {$median: {input: '$a', method: 'continuous'}} !! 2 Currently only 'approximate' can be used as percentile 'method'.
        {$percentile: {input: '$a', p: '$a', method: 'approximate'}} !! 7750300 The $percentile 'p' field must be an array of constant values, but found value: "$a".
        {$percentile: {input: '$a', p: 0.5, method: 'approximate'}} !! 7750301 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 0.5
        {$percentile: {input: '$a', p: [], method: 'approximate'}} !! 7750301 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: []
        {$percentile: {input: '$a', p: ['x'], method: 'approximate'}} !! 7750302 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: "x"
        {$percentile: {input: '$a', p: [10], method: 'approximate'}} !! 7750303 The $percentile 'p' field must be an array of numbers from [0.0, 1.0], but found: 10
        {$percentile: {p: [0.5], method: 'approximate'}} !! 40414 BSON field '$percentile.input' is missing but a required field
        {$median: {input: '$a', p: [0.5], method: 'approximate'}} !! 40415 BSON field '$median.p' is an unknown field.
        """);
  }
}
