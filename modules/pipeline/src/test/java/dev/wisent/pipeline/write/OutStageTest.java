package dev.wisent.pipeline.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutStageTest {
  private static OutStage parse(String argument) {
    return (OutStage) StageFixture.parse("[{$out: " + argument + "}]").stages().getFirst();
  }

  @Test
  void namesItsTarget() {
    assertThat(parse("'c'")).isEqualTo(new OutStage(null, "c"));
    assertThat(parse("{db: 'd', coll: 'c'}")).isEqualTo(new OutStage("d", "c"));
  }

  @Test
  void explained() {
    assertThat(StageFixture.explained("{$out: 'c'}"))
        .isEqualTo(RawDocument.parse("{$out: {coll: 'c'}}"));
    assertThat(StageFixture.explained("{$out: {db: 'd', coll: 'c'}}"))
        .isEqualTo(RawDocument.parse("{$out: {coll: 'c', db: 'd'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                     | 16990 | $out only supports a string or object argument, not int
          null                  | 16990 | $out only supports a string or object argument, not null
          ['c']                 | 16990 | $out only supports a string or object argument, not array
          'system.x'            | 17385 | Can't $out to special collection: system.x
          {coll: 'c'}           | 40414 | BSON field '$out.db' is missing but a required field
          {db: 'd'}             | 40414 | BSON field '$out.coll' is missing but a required field
          {db: 'd', coll: 1}    | 14    | BSON field '$out.coll' is the wrong type 'int', expected type 'string'
          {db: 'd', coll: 'c', x: 1} | 40415 | BSON field '$out.x' is an unknown field.
          {db: 'd', coll: 'c', timeseries: {timeField: 't'}} | 238 | $out: timeseries is not supported yet
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkError("[{$out: " + argument + "}]", "[]", code, message);
  }

  @Test
  void standsLast() {
    var error = StageFixture.errorOf("[{$out: 'c'}, {$match: {}}]", "[]");
    assertThat(error.code().code()).isEqualTo(40601);
    assertThat(error).hasMessage("$out can only be the final stage in the pipeline");
  }
}
