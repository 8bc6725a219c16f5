package dev.wisent.query.aggregate.accumulator;

import org.junit.jupiter.api.Test;

class TopNAccumulatorTest {
  private static final String DOCUMENTS =
      """
      [{a: 5, b: 1, id: 'one'}, {a: 1, b: 2, id: 'two'}, {a: [7, 0], id: 'three'}, {b: 3, id: 'four'},
       {a: 5, b: 0, id: 'five'}, {a: 1, b: 2}]
      """;

  @Test
  void takesValuesOfTheFirstOrLastInAnOrder() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$top: {sortBy: {a: 1}, output: '$id'}} => 'four'
        {$top: {sortBy: {a: -1}, output: '$id'}} => 'three'
        {$top: {sortBy: {a: -1, b: 1}, output: ['$id', '$b']}} => ['three', null]
        {$bottom: {sortBy: {a: 1}, output: '$id'}} => 'one'
        {$topN: {n: 3, sortBy: {a: 1}, output: '$id'}} => ['four', 'three', 'two']
        {$topN: {n: 99, sortBy: {a: 1, b: -1}, output: '$id'}} => ['four', 'three', 'two', null, 'one', 'five']
        {$bottomN: {n: 2, sortBy: {a: 1, b: -1}, output: '$id'}} => ['one', 'five']
        {$bottomN: {n: 3, sortBy: {b: 1}, output: '$b'}} => [2, 2, 3]
        {$topN: {n: 1, sortBy: {a: 1}, output: '$missing'}} => [null]
        """);
  }

  @Test
  void refuses() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$top: 1} !! 5788001 specification must be an object; found $top: 1
        {$bottomN: 'x'} !! 5788001 specification must be an object; found $bottomN: "x"
        {$top: {sortBy: {a: 1}, output: '$a', n: 1}} !! 5788002 Unknown argument to $top 'n'
        {$topN: {sortBy: {a: 1}, output: '$a', x: 1}} !! 5788002 Unknown argument to $topN 'x'
        {$topN: {sortBy: {a: 1}, output: '$a'}} !! 5788003 Missing value for 'n'
        {$bottom: {sortBy: {a: 1}}} !! 5788004 Missing value for 'output'
        {$bottomN: {n: 1, output: '$a'}} !! 5788005 Missing value for 'sortBy'
        {$top: {sortBy: 1, output: '$a'}} !! 10065 invalid parameter: expected an object (sortBy)
        {$top: {sortBy: {a: 2}, output: '$a'}} !! 15975 $sort key ordering must be 1 (for ascending) or -1 (for descending)
        {$topN: {n: 0, sortBy: {a: 1}, output: '$a'}} !! 5787908 'n' must be greater than 0, found 0
        """);
  }
}
