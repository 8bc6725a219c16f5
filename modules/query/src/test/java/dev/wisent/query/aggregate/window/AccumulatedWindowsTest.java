package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The functions that groups have too, in windows that grow and windows that move. */
class AccumulatedWindowsTest {
  private static final String UP_TO_CURRENT = "window: {documents: ['unbounded', 'current']}";
  private static final String LAST_TWO = "window: {documents: [-1, 0]}";

  private static final String MIXED =
      "[{t: 1, x: 3}, {t: 2}, {t: 3, x: null}, {t: 4, x: 'a'}, {t: 5, x: 1.5}, {t: 6, x: [2]}]";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          $avg: '$x'                               | [3.0, 3.0, 3.0, 3.0, 2.25, 2.25]             | [3.0, 3.0, null, null, 1.5, 1.5]
          $stdDevPop: '$x'                         | [0.0, 0.0, 0.0, 0.0, 0.75, 0.75]             | [0.0, 0.0, null, null, 0.0, 0.0]
          $stdDevSamp: '$x'                        | [null, null, null, null, 1.0606601717798212, 1.0606601717798212] | [null, null, null, null, null, null]
          $min: '$x'                               | [3, 3, 3, 3, 1.5, 1.5]                       | [3, 3, null, 'a', 1.5, 1.5]
          $max: '$x'                               | [3, 3, 3, 'a', 'a', [2]]                     | [3, 3, null, 'a', 'a', [2]]
          $push: '$x'                              | [[3], [3], [3, null], [3, null, 'a'], [3, null, 'a', 1.5], [3, null, 'a', 1.5, [2]]] | [[3], [3], [null], [null, 'a'], ['a', 1.5], [1.5, [2]]]
          $addToSet: '$x'                          | [[3], [3], [3, null], [3, null, 'a'], [3, null, 'a', 1.5], [3, null, 'a', 1.5, [2]]] | [[3], [3], [null], [null, 'a'], ['a', 1.5], [1.5, [2]]]
          $firstN: {n: 2, input: '$x'}             | [[3], [3, null], [3, null], [3, null], [3, null], [3, null]] | [[3], [3, null], [null, null], [null, 'a'], ['a', 1.5], [1.5, [2]]]
          $lastN: {n: 1, input: '$x'}              | [[3], [null], [null], ['a'], [1.5], [[2]]]   | [[3], [null], [null], ['a'], [1.5], [[2]]]
          $minN: {n: 2, input: '$x'}               | [[3], [3], [3], [3, 'a'], [1.5, 3], [1.5, 3]] | [[3], [3], [], ['a'], [1.5, 'a'], [1.5, [2]]]
          $maxN: {n: 2, input: '$x'}               | [[3], [3], [3], ['a', 3], ['a', 3], [[2], 'a']] | [[3], [3], [], ['a'], ['a', 1.5], [[2], 1.5]]
          $top: {sortBy: {t: -1}, output: '$x'}    | [3, null, null, 'a', 1.5, [2]]               | [3, null, null, 'a', 1.5, [2]]
          $bottom: {sortBy: {t: -1}, output: '$x'} | [3, 3, 3, 3, 3, 3]                           | [3, 3, null, null, 'a', 1.5]
          $topN: {n: 2, sortBy: {t: -1}, output: '$t'} | [[1], [2, 1], [3, 2], [4, 3], [5, 4], [6, 5]] | [[1], [2, 1], [3, 2], [4, 3], [5, 4], [6, 5]]
          $bottomN: {n: 2, sortBy: {t: 1}, output: '$t'} | [[1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]] | [[1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6]]
          $median: {input: '$x', method: 'approximate'} | [3.0, 3.0, 3.0, 3.0, 1.5, 1.5]          | [3.0, 3.0, null, null, 1.5, 1.5]
          $percentile: {input: '$x', p: [0.9], method: 'approximate'} | [[3.0], [3.0], [3.0], [3.0], [3.0], [3.0]] | [[3.0], [3.0], [null], [null], [1.5], [1.5]]
          """)
  void growingAndMoving(String function, String growing, String moving) {
    WindowFixture.check("{" + function + ", " + UP_TO_CURRENT + "}", MIXED, documents(growing));
    WindowFixture.check("{" + function + ", " + LAST_TWO + "}", MIXED, documents(moving));
  }

  /** Makes documents of the elements of an array. */
  private static String documents(String values) {
    var array = RawDocument.parse("{a: " + values + "}").get("a").elements();
    var documents = new StringBuilder("[");
    while (array.next()) {
      documents.append(documents.length() == 1 ? "" : ", ");
      documents.append(new BsonBuilder().append("v", array.value()).toDocument().toJson());
    }
    return documents.append("]").toString();
  }

  /** An average of longs that no long could hold the sum of. */
  @Test
  void averagesOfLargeNumbers() {
    WindowFixture.check(
        "{$avg: '$x', " + LAST_TWO + "}",
        "[{t: 1, x: {$numberLong: '9223372036854775807'}}, {t: 2, x: {$numberLong:"
            + " '9223372036854775807'}}, {t: 3, x: 1}, {t: 4, x: 2}]",
        "[{v: 9.223372036854775807E18}, {v: 9.223372036854775807E18}, {v: 4.611686018427388E18},"
            + " {v: 1.5}]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$avg: '$x', more: 1}                                | 9       | Window function found an unknown argument: more
          {$push: '$x', $min: '$x'}                            | 9       | Cannot specify two functions in window function spec
          {$firstN: {n: 2, input: '$x'}, more: 1}              | 9       | $firstN got unexpected argument: more
          {$firstN: 1}                                         | 5787801 | specification must be an object
          {$minN: {input: '$x'}}                               | 5787906 | Missing value for 'n'
          {$maxN: {n: 1}}                                      | 5787907 | Missing value for 'input'
          {$topN: {n: 1, output: '$x'}}                        | 5788005 | Missing value for 'sortBy'
          {$top: {sortBy: {a: 1}}}                             | 5788004 | Missing value for 'output'
          {$median: {input: '$x'}}                             | 40414   | BSON field '$median.method' is missing but a required field
          {$percentile: {input: '$x', p: [2], method: 'approximate'}} | 7750303 | from [0.0, 1.0]
          {$median: {input: '$x', method: 'approximate'}, x: 1} | 9      | $median got unexpected argument: x
          """)
  void errors(String function, int code, String message) {
    WindowFixture.checkError(function, "[{t: 1}]", code, message);
  }

  /** How many are wanted is the same for all windows, so that it can be no field. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$firstN: {n: 0, input: '$x'}}    | 5787908 | 'n' must be greater than 0
          {$firstN: {n: '$t', input: '$x'}} | 5787902 | Value for 'n' must be of integral type
          {$firstN: {n: 'x', input: '$x'}, window: {documents: [0, 1]}} | 5787902 | Value for 'n' must be of integral type
          """)
  void illegalCounts(String function, int code, String message) {
    WindowFixture.checkError(function, "[{t: 1}]", code, message);
  }

  @Test
  void explained() {
    assertThat(WindowFixture.explained("{$count: {}}"))
        .isEqualTo(
            RawDocument.parse(
                "{$sum: {$const: 1}, window: {documents: ['unbounded', 'unbounded']}}"));
    assertThat(WindowFixture.explained("{$firstN: {n: 2, input: '$x'}, " + LAST_TWO + "}"))
        .isEqualTo(
            RawDocument.parse(
                "{$firstN: {n: {$const: 2}, input: '$x'}, window: {documents: [-1, 0]}}"));
  }
}
