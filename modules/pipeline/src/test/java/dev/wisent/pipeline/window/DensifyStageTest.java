package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DensifyStageTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {step: 2, bounds: 'full'}   | [{a: 1}, {a: 7, b: 1}]            | [{a: 1}, {a: 3}, {a: 5}, {a: 7, b: 1}]
          {step: 2, bounds: 'full'}   | [{a: 6}, {a: 1}, {a: 2}]          | [{a: 1}, {a: 2}, {a: 3}, {a: 5}, {a: 6}]
          {step: 1, bounds: 'full'}   | [{a: 1}, {a: 1}, {a: 3}, {a: 3}]  | [{a: 1}, {a: 1}, {a: 2}, {a: 3}, {a: 3}]
          {step: 1, bounds: 'full'}   | [{}, {a: null}, {a: 1}]           | [{}, {a: null}, {a: 1}]
          {step: 1, bounds: 'full'}   | []                                | []
          {step: 0.5, bounds: 'full'} | [{a: 1}, {a: 2}]                  | [{a: 1}, {a: 1.5}, {a: 2}]
          {step: {$numberLong: '1'}, bounds: 'full'} | [{a: 1}, {a: 3}]   | [{a: 1}, {a: {$numberLong: '2'}}, {a: 3}]
          {step: 2, bounds: [0, 5]}   | []                                | [{a: 0}, {a: 2}, {a: 4}]
          {step: 2, bounds: [0, 5]}   | [{a: 2}, {a: 3}]                  | [{a: 0}, {a: 2}, {a: 3}, {a: 4}]
          {step: 2, bounds: [0, 5]}   | [{a: -3}, {a: 9}]                 | [{a: -3}, {a: 0}, {a: 2}, {a: 4}, {a: 9}]
          {step: 2, bounds: [0, 4]}   | [{a: 0}, {a: 4}]                  | [{a: 0}, {a: 2}, {a: 4}]
          {step: 2, bounds: [0, 0]}   | [{a: 7}]                          | [{a: 7}]
          {step: 1, unit: 'hour', bounds: 'full'} | [{a: {$date: 0}}, {a: {$date: 7200000}}] | [{a: {$date: 0}}, {a: {$date: 3600000}}, {a: {$date: 7200000}}]
          {step: 1, unit: 'month', bounds: [{$date: '2024-01-15T00:00:00Z'}, {$date: '2024-04-15T00:00:00Z'}]} | [{a: {$date: '2024-02-15T00:00:00Z'}, b: 1}] | [{a: {$date: '2024-01-15T00:00:00Z'}}, {a: {$date: '2024-02-15T00:00:00Z'}, b: 1}, {a: {$date: '2024-03-15T00:00:00Z'}}]
          """)
  void withoutPartitions(String range, String input, String expected) {
    assertThat(StageFixture.run("[{$densify: {field: 'a', range: " + range + "}}]", input))
        .isEqualTo(StageFixture.documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {step: 1, bounds: 'partition'} | [{p: 1, a: 1}, {p: 2, a: 5}, {p: 1, a: 3}, {p: 2, a: 7}] | [{p: 1, a: 1}, {p: 1, a: 2}, {p: 1, a: 3}, {p: 2, a: 5}, {p: 2, a: 6}, {p: 2, a: 7}]
          {step: 1, bounds: 'full'}      | [{p: 1, a: 1}, {p: 2, a: 3}]                             | [{p: 1, a: 1}, {p: 2, a: 1}, {p: 2, a: 2}, {p: 2, a: 3}, {p: 1, a: 2}, {p: 1, a: 3}]
          {step: 2, bounds: 'full'}      | [{p: 1, a: 1}, {p: 2, a: 4}]                             | [{p: 1, a: 1}, {p: 2, a: 1}, {p: 2, a: 3}, {p: 2, a: 4}, {p: 1, a: 3}]
          {step: 1, bounds: [1, 3]}      | [{p: 1, a: 1}, {p: 2, a: 2}, {p: 3, a: 9}]               | [{p: 1, a: 1}, {p: 2, a: 1}, {p: 2, a: 2}, {p: 3, a: 1}, {p: 3, a: 2}, {p: 3, a: 9}, {p: 1, a: 2}]
          {step: 1, bounds: [1, 3]}      | [{p: 1, a: 0}, {a: 2}]                                   | [{a: 1}, {a: 2}, {p: 1, a: 0}, {p: 1, a: 1}, {p: 1, a: 2}]
          {step: 1, bounds: [1, 3]}      | []                                                       | []
          """)
  void withPartitions(String range, String input, String expected) {
    assertThat(
            StageFixture.run(
                "[{$densify: {field: 'a', partitionByFields: ['p'], range: " + range + "}}]",
                input))
        .isEqualTo(StageFixture.documents(expected));
  }

  @Test
  void nestedFields() {
    assertThat(
            StageFixture.run(
                "[{$densify: {field: 'a.x', partitionByFields: ['b.y', 'a.z'], range: {step: 1,"
                    + " bounds: 'partition'}}}]",
                "[{a: {x: 1, z: 5}, b: {y: 2}}, {a: {x: 3, z: 5}, b: {y: 2}}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: {x: 1, z: 5}, b: {y: 2}}, {b: {y: 2}, a: {z: 5, x: 2}}, {a: {x: 3, z: 5},"
                    + " b: {y: 2}}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                                          | 9     | The $densify stage specification must be an object, found int
          {range: {step: 1, bounds: 'full'}}                         | 40414 | BSON field '$densify.field' is missing but a required field
          {field: 1, range: {step: 1, bounds: 'full'}}               | 14    | BSON field '$densify.field' is the wrong type 'int', expected type 'string'
          {field: 'a'}                                               | 40414 | BSON field '$densify.range' is missing
          {field: 'a', range: 1}                                     | 14    | BSON field '$densify.range' is the wrong type
          {field: 'a', range: {bounds: 'full'}}                      | 40414 | BSON field '$densify.range.step' is missing
          {field: 'a', range: {step: 1}}                             | 40414 | BSON field '$densify.range.bounds' is missing
          {field: 'a', range: {step: 1, bounds: 'full', x: 1}}       | 40415 | BSON field '$densify.range.x' is an unknown field.
          {field: 'a', range: {step: 1, bounds: 'full', unit: 1}}    | 14    | BSON field '$densify.range.unit' is the wrong type
          {field: 'a', range: {step: 1, bounds: 'full'}, x: 1}       | 40415 | BSON field '$densify.x' is an unknown field.
          {field: 'a', partitionByFields: 'p', range: {step: 1, bounds: 'full'}} | 14 | BSON field '$densify.partitionByFields' is the wrong type 'string', expected type 'array'
          {field: 'a', partitionByFields: [1], range: {step: 1, bounds: 'full'}} | 14 | BSON field '$densify.partitionByFields.0' is the wrong type 'int', expected type 'string'
          {field: 'a', range: {step: 0, bounds: 'full'}}             | 5733401 | strictly positive
          {field: 'a', range: {step: 'x', bounds: 'full'}}           | 5733401 | strictly positive
          {field: 'a', range: {step: 1.5, bounds: 'full', unit: 'day'}} | 6586400 | must be a whole number
          {field: 'a', range: {step: 1, bounds: 'full', unit: 'x'}}  | 9     | unknown time unit value: x
          {field: 'a', range: {step: 1, bounds: 'x'}}                | 5946802 | Bounds string must either be 'full' or 'partition'
          {field: 'a', range: {step: 1, bounds: 1}}                  | 5733404 | must be the string 'full', 'partition'
          {field: 'a', range: {step: 1, bounds: [1]}}                | 5733403 | exactly two elements
          {field: 'a', range: {step: 1, bounds: [2, 1]}}             | 5733402 | ascending array
          {field: 'a', range: {step: 1, bounds: [1, 'x']}}           | 5733406 | either both dates or both numeric types
          {field: 'a', range: {step: 1, bounds: [1, 2.5]}}           | 5876900 | must all have the same type
          {field: 'a', range: {step: 1, bounds: [1, 2], unit: 'day'}} | 5733409 | Numeric bounds may not have unit parameter
          {field: 'a', range: {step: 1, bounds: [{$date: 1}, {$timestamp: {t: 1, i: 1}}], unit: 'day'}} | 5733405 | either both dates
          {field: 'a', range: {step: 1, bounds: [{$date: 1}, {$date: 2}]}} | 5733410 | must specify a unit
          {field: 'a', range: {step: 1, bounds: ['a', 'b']}}         | 5946800 | Explicit bounds must be numeric or dates
          {field: 'a', range: {step: 1, bounds: 'partition'}}        | 5733408 | One cannot specify the bounds as 'partition'
          {field: 'a', partitionByFields: [], range: {step: 1, bounds: 'partition'}} | 5733408 | One cannot specify
          {field: '', range: {step: 1, bounds: 'full'}}              | 40352 | FieldPath cannot be constructed with empty string
          {field: '$a', range: {step: 1, bounds: 'full'}}            | 16410 | may not start with '$'
          {field: 'a', partitionByFields: ['a'], range: {step: 1, bounds: 'full'}} | 8993000 | contains the field that is being densified
          {field: 'a.b', partitionByFields: ['a'], range: {step: 1, bounds: 'full'}} | 5733306 | partition
          """)
  void refusedArguments(String argument, int code, String message) {
    StageFixture.checkErrorPart("[{$densify: " + argument + "}]", "[]", code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {step: 1, bounds: 'full'}              | [{a: 'x'}]        | 5733201 | Densify field type must be numeric or a date
          {step: 1, bounds: 'full'}              | [{a: [1]}]        | 5733201 | Densify field type must be numeric or a date
          {step: 1, bounds: 'full'}              | [{a: {$date: 1}}] | 6053600 | Encountered date densify value
          {step: 1, bounds: 'full', unit: 'day'} | [{a: 1}]          | 6053600 | Encountered numeric densify value
          {step: 1, bounds: 'full'}              | [{a: 0}, {a: 500002}] | 5897900 | Generated 500001 documents in $densify, which is over the limit of 500000
          """)
  void refusedValues(String range, String input, int code, String message) {
    StageFixture.checkErrorPart(
        "[{$densify: {field: 'a', range: " + range + "}}]", input, code, message);
  }

  @Test
  void generatesAsManyAsAllowed() {
    String stages = "[{$densify: {field: 'a', range: {step: 1, bounds: 'full'}}}, {$count: 'n'}]";
    int last = Limits.DENSIFY_DOCUMENTS_MAX + 1;
    assertThat(StageFixture.run(stages, "[{a: 0}, {a: " + last + "}]"))
        .containsExactly(RawDocument.parse("{n: " + (last + 1) + "}"));
  }

  @Test
  void doesNotWriteIntoOtherValues() {
    String stages =
        "[{$densify: {field: 'p.q.a', partitionByFields: ['p.q.r'], range: {step: 1, bounds:"
            + " [1, 3]}}}]";
    assertThat(StageFixture.run(stages, "[{p: {q: {a: 1, r: 1}}}]"))
        .isEqualTo(StageFixture.documents("[{p: {q: {a: 1, r: 1}}}, {p: {q: {r: 1, a: 2}}}]"));
  }

  @Test
  void explained() {
    List<Stage> stages =
        StageFixture.parse(
                "[{$densify: {field: 'a', partitionByFields: ['p'], range: {step: 1, bounds:"
                    + " [1, 3]}}}]")
            .stages();
    assertThat(stages.get(0).explained())
        .containsExactly(RawDocument.parse("{$sort: {sortKey: {p: 1, a: 1}}}"));
    assertThat(stages.get(1).explained())
        .containsExactly(
            RawDocument.parse(
                "{$_internalDensify: {field: 'a', partitionByFields: ['p'], range: {step: 1,"
                    + " bounds: [1, 3]}}}"));
  }
}
