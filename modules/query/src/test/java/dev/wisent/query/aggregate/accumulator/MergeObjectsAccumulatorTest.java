package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class MergeObjectsAccumulatorTest {
  @Test
  void theLastValueOfEachFieldStays() {
    AccumulatorCases.check(
        "[{a: {x: 1, y: 'text'}, b: 1, c: [{}]}, {a: null}, {}, {a: {y: 2, z: {q: 1}}}]",
        """
        {$mergeObjects: '$a'} => {x: 1, y: 2, z: {q: 1}}
        {$mergeObjects: '$missing'} => {}
        {$mergeObjects: '$b'} !! 40400 $mergeObjects requires object inputs, but input 1 is of type int
        {$mergeObjects: '$c'} !! 40400 $mergeObjects requires object inputs, but input [ {} ] is of type array
        {$mergeObjects: ['$a']} !! 40237 The $mergeObjects accumulator is a unary operator
        """);
  }
}
