package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.StageFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FillStageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {output: {a: {value: 0}}}                            | [{a: 1}, {a: null}, {b: 1}]             | [{a: 1}, {a: 0}, {b: 1, a: 0}]
          {output: {a: {value: '$b'}}}                         | [{b: 1}, {a: 2, b: 1}]                  | [{b: 1, a: 1}, {a: 2, b: 1}]
          {sortBy: {t: 1}, output: {a: {method: 'linear'}}}    | [{t: 3, a: 3}, {t: 2}, {t: 1, a: 1}]    | [{t: 1, a: 1}, {t: 2, a: 2.0}, {t: 3, a: 3}]
          {sortBy: {t: 1}, output: {a: {method: 'locf'}}}      | [{t: 2}, {t: 1, a: 1}]                  | [{t: 1, a: 1}, {t: 2, a: 1}]
          {output: {a: {method: 'locf'}}}                      | [{a: 1}, {b: 1}]                        | [{a: 1}, {b: 1, a: 1}]
          {sortBy: {t: 1}, partitionBy: '$p', output: {a: {method: 'locf'}}} | [{p: 1, t: 1, a: 1}, {p: 2, t: 2}, {p: 1, t: 3}] | [{p: 1, t: 1, a: 1}, {p: 1, t: 3, a: 1}, {p: 2, t: 2, a: null}]
          {sortBy: {t: 1}, partitionBy: {q: '$p'}, output: {a: {method: 'locf'}}} | [{p: 1, t: 1, a: 1}, {p: 2, t: 2}, {p: 1, t: 3}] | [{p: 1, t: 1, a: 1}, {p: 1, t: 3, a: 1}, {p: 2, t: 2, a: null}]
          {sortBy: {t: 1}, partitionByFields: ['p'], output: {a: {method: 'locf'}}} | [{p: 1, t: 1, a: 1}, {p: 2, t: 2}, {p: 1, t: 3}] | [{p: 1, t: 1, a: 1}, {p: 1, t: 3, a: 1}, {p: 2, t: 2, a: null}]
          {sortBy: {t: 1}, output: {a: {method: 'locf'}, b: {value: 9}}} | [{t: 1, a: 1}, {t: 2, b: 2}]  | [{t: 1, a: 1, b: 9}, {t: 2, b: 2, a: 1}]
          {sortBy: {t: 1}, output: {'x.y': {method: 'locf'}}}  | [{t: 1, x: {y: 1}}, {t: 2}]             | [{t: 1, x: {y: 1}}, {t: 2, x: {y: 1}}]
          {output: {a: {}}}                                    | [{b: 1}]                                | [{b: 1}]
          """)
  void fills(String argument, String input, String expected) {
    assertThat(StageFixture.run("[{$fill: " + argument + "}]", input))
        .isEqualTo(StageFixture.documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                                  | 9       | The $fill stage specification must be an object, found int
          {}                                                 | 40414   | BSON field '$fill.output' is missing but a required field
          {output: 1}                                        | 14      | BSON field '$fill.output' is the wrong type 'int', expected type 'object'
          {output: {}}                                       | 6050203 | must contain an object with at least one element
          {output: {a: 1}}                                   | 6050200 | Each fill output specification must be an object with exactly one field
          {output: {a: {value: 1, method: 'locf'}}}          | 6050201 | exactly one of 'method' or 'value'
          {output: {a: {method: 'x'}}}                       | 6050202 | Method must be either locf or linear
          {output: {a: {method: 1}}}                         | 14      | BSON field '$fill.method' is the wrong type
          {output: {a: {x: 1}}}                              | 40415   | BSON field '$fill.x' is an unknown field.
          {output: {a: {value: 1}}, x: 1}                    | 40415   | BSON field '$fill.x' is an unknown field.
          {output: {a: {method: 'locf'}}, partitionBy: '$p', partitionByFields: ['p']} | 6050204 | Maximum one of 'partitionBy'
          {output: {a: {value: 1}}, partitionBy: 1}          | 14      | expected types '[object, string]'
          {output: {a: {value: 1}}, sortBy: 1}               | 14      | BSON field '$fill.sortBy' is the wrong type
          {output: {a: {method: 'linear'}}}                  | 605001  | must be specified with a top level sortBy expression with exactly one element
          {output: {a: {method: 'linear'}}, sortBy: {a: 1, b: 1}} | 605001 | exactly one element
          """)
  void errors(String argument, int code, String message) {
    StageFixture.checkErrorPart("[{$fill: " + argument + "}]", "[]", code, message);
  }

  @Test
  void becomesOtherStages() {
    var stages =
        StageFixture.parse(
                "[{$fill: {sortBy: {t: 1}, output: {a: {method: 'linear'}, b: {value: 1}}}}]")
            .stages();
    assertThat(stages).hasSize(3);
    assertThat(stages.get(1).explained())
        .containsExactly(
            RawDocument.parse(
                "{$_internalSetWindowFields: {sortBy: {t: 1}, output: {a: {$linearFill:"
                    + " '$a'}}}}"));
    assertThat(stages.get(2).explained())
        .containsExactly(RawDocument.parse("{$addFields: {b: {$ifNull: ['$b', {$const: 1}]}}}"));
  }
}
