package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SortKeyValuesTest {
  private static RawDocument values(String sort, String document) {
    var keys = new SortKeyValues(SortPattern.parse(RawDocument.parse(sort)));
    keys.of(RawDocument.parse("{a: 'before', b: [1, 2, 3]}"));
    return keys.of(RawDocument.parse(document));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}        | {a: 5}                       | [5]
          {a: -1}       | {a: 5.5}                     | [5.5]
          {a: 1}        | {a: {$numberLong: "7"}}      | [{$numberLong: "7"}]
          {a: 1}        | {a: 2.0}                     | [2.0]
          {a: 1, b: -1} | {a: "x", b: {c: 1}}          | ["x", {c: 1}]
          {a: 1, b: 1}  | {b: true}                    | [null, true]
          {a: 1}        | {a: [3, 1, 2]}               | [1]
          {a: -1}       | {a: [3, 1, 2]}               | [3]
          {a: 1}        | {a: []}                      | [{$undefined: true}]
          {"a.b": -1, "a.c": 1} | {a: [{b: 1, c: 2}, {b: 4, c: 9}]} | [4, 9]
          """)
  void values(String sort, String document, String expected) {
    assertThat(values(sort, document))
        .isEqualTo(RawDocument.parse("{v: " + expected + "}").get("v").asDocument());
  }

  @Test
  void parallelArraysHaveNoKey() {
    CommandException error =
        catchThrowableOfType(
            CommandException.class, () -> values("{a: 1, b: 1}", "{a: [1], b: [2]}"));
    assertThat(error.code()).isEqualTo(ErrorCode.BAD_VALUE);
    assertThat(error).hasMessage("cannot sort with keys that are parallel arrays");
  }
}
