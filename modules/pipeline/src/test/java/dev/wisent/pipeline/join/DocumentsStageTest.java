package dev.wisent.pipeline.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DocumentsStageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{a: 1}, {a: null}, {}]                 | [{a: 1}, {a: null}, {}]
          []                                      | []
          [{a: {$add: [1, 2]}, b: '$missing'}]    | [{a: 3}]
          {$map: {input: [1, 2], in: {x: '$$this'}}} | [{x: 1}, {x: 2}]
          """)
  void makesDocuments(String argument, String expected) {
    assertThat(StageFixture.run("[{$documents: " + argument + "}]", "[{_id: 1}]"))
        .isEqualTo(StageFixture.documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          [{$documents: 1}]                     | 5858203 | an array is expected
          [{$documents: {a: 1}}]                | 5858203 | an array is expected
          [{$documents: '$a'}]                  | 5858203 | an array is expected
          [{$documents: [1]}]                   | 40228   | 'newRoot' expression  must evaluate to an object, but resulting value was: 1. Type of resulting value: 'int'.
          [{$match: {}}, {$documents: []}]      | 40602   | $documents is only valid as the first stage in a pipeline
          """)
  void refuses(String stages, int code, String message) {
    StageFixture.checkError(stages, "[{a: 1}]", code, message);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = "[{a: 1}] | {$const: [{a: 1}]}")
  void explained(String argument, String expected) {
    assertThat(StageFixture.explained("{$documents: " + argument + "}"))
        .isEqualTo(RawDocument.parse("{$documents: " + expected + "}"));
  }
}
