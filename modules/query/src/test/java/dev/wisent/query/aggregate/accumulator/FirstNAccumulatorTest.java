package dev.wisent.query.aggregate.accumulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.query.aggregate.StageFixture;
import org.junit.jupiter.api.Test;

class FirstNAccumulatorTest {
  private static final String DOCUMENTS = "[{a: 1}, {a: null}, {}, {a: [4]}, {a: 'five'}]";

  @Test
  void takesTheValuesOfTheFirstOrLastDocuments() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$firstN: {n: 2, input: '$a'}} => [1, null]
        {$firstN: {n: 3.0, input: '$a'}} => [1, null, null]
        {$firstN: {input: '$a', n: {$numberLong: '9223372036854775807'}}} => [1, null, null, [4], 'five']
        {$lastN: {n: 2, input: '$a'}} => [[4], 'five']
        {$lastN: {n: {$add: [1, 2]}, input: '$a'}} => [null, [4], 'five']
        {$lastN: {n: 9, input: '$a'}} => [1, null, null, [4], 'five']
        """);
  }

  @Test
  void theNumberMayDependOnTheGroup() {
    String pipeline =
        "[{$group: {_id: {k: '$k'}, v: {$firstN: {n: {$cond: [{$eq: ['$k', 1]}, 2, 1]}, input:"
            + " '$a'}}}}]";
    var documents =
        StageFixture.documents("[{k: 1, a: 1}, {k: 2, a: 2}, {k: 1, a: 3}, {k: 2, a: 4}]");
    var expected = StageFixture.documents("[{_id: {k: 1}, v: [1, 3]}, {_id: {k: 2}, v: [2]}]");
    assertThat(StageFixture.run(pipeline, documents)).isEqualTo(expected);
    assertThat(StageFixture.runInFiles(pipeline, documents)).isEqualTo(expected);
  }

  @Test
  void refuses() {
    AccumulatorCases.check(
        DOCUMENTS,
        """
        {$firstN: 1} !! 5787801 specification must be an object; found $firstN: 1
        {$lastN: 1} !! 5787801 specification must be an object; found $lastN: 1
        {$firstN: {n: 1, input: '$a', x: 1}} !! 5787901 Unknown argument for 'n' operator: x
        {$firstN: {input: '$a'}} !! 5787906 Missing value for 'n'
        {$lastN: {n: 1}} !! 5787907 Missing value for 'input'
        {$firstN: {n: 'x', input: '$a'}} !! 5787902 Value for 'n' must be of integral type, but found "x"
        {$firstN: {n: '$a', input: '$a'}} !! 5787902 Value for 'n' must be of integral type, but found MISSING
        {$firstN: {n: 1.5, input: '$a'}} !! 5787903 Value for 'n' must be of integral type, but found 1.5
        {$lastN: {n: 0, input: '$a'}} !! 5787908 'n' must be greater than 0, found 0
        {$lastN: {n: -1, input: '$a'}} !! 5787908 'n' must be greater than 0, found -1
        """);
  }
}
