package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortKeyGeneratorTest {
  private static byte[] key(String sort, String document) {
    return new SortKeyGenerator(SortPattern.parse(RawDocument.parse(sort)))
        .key(RawDocument.parse(document));
  }

  /** The key that the given values have, in the directions of the sort. */
  private static byte[] expectedKey(String sort, String values) {
    var encoder = new IndexKeyV1.Encoder();
    var directions = RawDocument.parse(sort).elements();
    var cursor = RawDocument.parse(values).get("v").elements();
    while (cursor.next()) {
      directions.next();
      encoder.append(cursor.value(), directions.value().toLong() < 0);
    }
    return encoder.toByteArray();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}                 | {a: 5}                              | {v: [5]}
          {a: 1}                 | {}                                  | {v: [null]}
          {a: 1}                 | {a: null}                           | {v: [null]}
          {a: 1}                 | {a: []}                             | {v: [undefined]}
          {a: -1}                | {a: []}                             | {v: [undefined]}
          {a: 1}                 | {a: [3, 1, 2]}                      | {v: [1]}
          {a: -1}                | {a: [3, 1, 2]}                      | {v: [3]}
          {a: 1}                 | {a: [3, "x", null]}                 | {v: [null]}
          {a: -1}                | {a: [3, "x", null]}                 | {v: ["x"]}
          {a: 1}                 | {a: [[2], 9]}                       | {v: [9]}
          {a: -1}                | {a: [[2], 9]}                       | {v: [[2]]}
          {a: 1}                 | {a: {b: 1}}                         | {v: [{b: 1}]}
          {"a.b": 1}             | {a: {b: 1}}                         | {v: [1]}
          {"a.b": 1}             | {a: 1}                              | {v: [null]}
          {"a.b": 1}             | {a: []}                             | {v: [null]}
          {"a.b": 1}             | {a: [{b: 4}, {b: [2, 3]}]}          | {v: [2]}
          {"a.b": -1}            | {a: [{b: 4}, {b: [7, 3]}]}          | {v: [7]}
          {"a.b": 1}             | {a: [{b: 4}, {}]}                   | {v: [null]}
          {"a.b": -1}            | {a: [{b: 4}, 8]}                    | {v: [4]}
          {"a.b": 1}             | {a: [{b: 4}, {b: []}]}              | {v: [undefined]}
          {"a.0": 1}             | {a: [5, 1]}                         | {v: [5]}
          {"a.1.b": 1}           | {a: [{b: 1}, {b: 9}]}               | {v: [9]}
          {"a.0": 1}             | {a: [[7, 6]]}                       | {v: [[7, 6]]}
          {"a.5": 1}             | {a: [1]}                            | {v: [null]}
          {"a.0": 1}             | {a: [[], 3]}                        | {v: [undefined]}
          {"a.0.x": 1}           | {a: [{x: [4, 2]}, {x: 0}]}          | {v: [2]}
          {"a.0.x": 1}           | {a: [[{x: 4}, {x: 2}]]}             | {v: [2]}
          {"a.1": 1}             | {a: [{}, {x: 1}]}                   | {v: [{x: 1}]}
          {"a.0": 1, "a.1": -1}  | {a: [3, 4]}                         | {v: [3, 4]}
          {a: 1, b: -1}          | {a: 1, b: "x"}                      | {v: [1, "x"]}
          {a: 1, b: -1}          | {a: [2, 1], b: 3}                   | {v: [1, 3]}
          {"a.x": 1, "a.y": 1}   | {a: [{x: 1, y: 9}, {x: 2, y: 0}]}   | {v: [1, 9]}
          {"a.x": -1, "a.y": 1}  | {a: [{x: 1, y: 9}, {x: 2, y: 0}]}   | {v: [2, 0]}
          {"a.x": 1, "a.y": -1}  | {a: [{x: 1, y: 1}, {x: 1, y: 5}]}   | {v: [1, 5]}
          {"a.x": 1, "a.y": 1}   | {a: [{x: 1}, {x: 1, y: 5}]}         | {v: [1, null]}
          """)
  void keys(String sort, String document, String expected) {
    assertThat(key(sort, document)).isEqualTo(expectedKey(sort, expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1, b: 1}             | {a: [1], b: [2]}
          {"a.x": 1, "b.x": 1}     | {a: [{x: 1}], b: [{x: 1}]}
          {"a.x": 1, "a.y": 1}     | {a: [{x: [1], y: [2]}]}
          {"a.0": 1, b: 1}         | {a: [1], b: [2]}
          """)
  void parallelArrays(String sort, String document) {
    assertThatThrownBy(() -> key(sort, document))
        .isInstanceOf(CommandException.class)
        .hasMessage("cannot sort with keys that are parallel arrays");
  }

  @Test
  void keysCompareAsBytes() {
    assertThat(Arrays.compareUnsigned(key("{a: 1}", "{a: 1}"), key("{a: 1}", "{a: 2.5}")))
        .isNegative();
    assertThat(Arrays.compareUnsigned(key("{a: -1}", "{a: 1}"), key("{a: -1}", "{a: 2.5}")))
        .isPositive();
    assertThat(Arrays.compareUnsigned(key("{a: 1}", "{a: []}"), key("{a: 1}", "{}"))).isNegative();
  }
}
