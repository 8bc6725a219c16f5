package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedactStageTest {
  private static final String BY_LEVEL = "{$cond: [{$gt: ['$level', 3]}, '$$PRUNE', '$$DESCEND']}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{_id: 1, level: 1, a: {level: 5}, b: {level: 2, c: {level: 4}}}] | [{_id: 1, level: 1, b: {level: 2}}]
          [{_id: 1, level: 4}, {_id: 2}]                              | [{_id: 2}]
          [{a: [{level: 4}, {level: 1}, 7, [{level: 9}, {x: 1}], []]}] | [{a: [{level: 1}, 7, [{x: 1}], []]}]
          [{a: null, b: [], c: {}}]                                  | [{a: null, b: [], c: {}}]
          [{level: null, a: {level: 'text'}, b: 1}]                  | [{level: null, b: 1}]
          """)
  void looksIntoDocuments(String input, String expected) {
    assertThat(StageFixture.run("[{$redact: " + BY_LEVEL + "}]", input))
        .isEqualTo(StageFixture.documents(expected));
  }

  @Test
  void keepsAsAWhole() {
    String stage = "[{$redact: {$cond: ['$open', '$$KEEP', '$$PRUNE']}}]";
    assertThat(StageFixture.run(stage, "[{open: true, a: {open: false}}, {open: false}, {}]"))
        .isEqualTo(StageFixture.documents("[{open: true, a: {open: false}}]"));
  }

  @Test
  void seesTheRootAndTheInnerDocument() {
    String stage =
        "[{$redact: {$cond: [{$eq: ['$$ROOT.who', '$$CURRENT.who']}, '$$DESCEND', '$$PRUNE']}}]";
    assertThat(StageFixture.run(stage, "[{who: 1, a: {who: 1, b: {who: 2}}, c: {}}]"))
        .isEqualTo(StageFixture.documents("[{who: 1, a: {who: 1}}]"));
  }

  @Test
  void worksWithVariablesOfExpressions() {
    String stage =
        "[{$redact: {$let: {vars: {x: '$level'},"
            + " in: {$cond: [{$eq: ['$$x', 1]}, '$$KEEP', '$$PRUNE']}}}}]";
    assertThat(StageFixture.run(stage, "[{level: 1}, {level: 2}]"))
        .isEqualTo(StageFixture.documents("[{level: 1}]"));
  }

  @Test
  void explained() {
    assertThat(StageFixture.explained("{$redact: {$cond: ['$a', '$$KEEP', '$$PRUNE']}}"))
        .isEqualTo(RawDocument.parse("{$redact: {$cond: ['$a', '$$KEEP', '$$PRUNE']}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$redact: 'text'}]          | 17053
          [{$redact: '$missing'}]      | 17053
          [{$redact: {$add: [1, 1]}}]  | 17053
          [{$redact: '$$OTHER'}]       | 17276
          [{$redact: {$nonsense: 1}}]  | 168
          [{$addFields: {a: '$$KEEP'}}] | 17276
          [{$addFields: {a: '$$DESCEND'}}] | 17276
          """)
  void refuses(String stages, int code) {
    assertThat(StageFixture.errorOf(stages, "[{a: 1}]").code().code()).isEqualTo(code);
  }
}
