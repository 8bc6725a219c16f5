package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class FirstLastAccumulatorTest {
  @Test
  void takesTheValueOfTheFirstOrLastDocumentWhateverItIs() {
    AccumulatorCases.check(
        "[{a: 1, n: null, s: 'some text', l: [1]}, {a: 2, s: 'other'}, {b: 3, s: 'the last text'}]",
        """
        {$first: '$a'} => 1
        {$last: '$a'} => null
        {$first: '$b'} => null
        {$last: '$b'} => 3
        {$first: '$n'} => null
        {$first: '$s'} => 'some text'
        {$last: '$s'} => 'the last text'
        {$first: '$l'} => [1]
        {$last: {$add: ['$b', 1]}} => 4
        {$first: '$$ROOT'} => {a: 1, n: null, s: 'some text', l: [1]}
        {$first: ['$a']} !! 40237 The $first accumulator is a unary operator
        {$last: ['$a']} !! 40237 The $last accumulator is a unary operator
        """);
  }
}
