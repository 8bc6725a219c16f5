package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.expression.Dependencies;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $setWindowFields}: partitions, orders, windows and outputs, whatever the function. */
class SetWindowFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {output: {n: {$count: {}}}}                                     | [{a: 1}, {a: 2}]             | [{a: 1, n: 2}, {a: 2, n: 2}]
          {partitionBy: '$p', output: {n: {$count: {}}}}                  | [{p: 2}, {p: 1}, {p: 2.0}]   | [{p: 1, n: 1}, {p: 2, n: 2}, {p: 2.0, n: 2}]
          {partitionBy: '$p', output: {n: {$count: {}}}}                  | [{a: 1}, {p: null}, {p: 0}]  | [{a: 1, n: 2}, {p: null, n: 2}, {p: 0, n: 1}]
          {partitionBy: {$mod: ['$p', 2]}, output: {n: {$count: {}}}}     | [{p: 1}, {p: 2}, {p: 3}]     | [{p: 2, n: 1}, {p: 1, n: 2}, {p: 3, n: 2}]
          {partitionBy: {a: '$p'}, output: {n: {$count: {}}}}             | [{p: 1}, {p: 2}, {p: 1}]     | [{p: 1, n: 2}, {p: 1, n: 2}, {p: 2, n: 1}]
          {partitionBy: 'constant', output: {n: {$count: {}}}}            | [{p: 1}, {p: 2}]             | [{p: 1, n: 2}, {p: 2, n: 2}]
          {partitionBy: null, output: {n: {$count: {}}}}                  | [{p: 1}, {p: 2}]             | [{p: 1, n: 2}, {p: 2, n: 2}]
          {partitionBy: '$p', sortBy: {p: -1, t: -1}, output: {n: {$last: '$t'}}} | [{p: 1, t: 1}, {p: 1, t: 2}] | [{p: 1, t: 2, n: 1}, {p: 1, t: 1, n: 1}]
          {sortBy: {t: 1, u: -1}, output: {n: {$push: '$u', window: {documents: ['unbounded', 'current']}}}} | [{t: 1, u: 1}, {t: 1, u: 2}, {t: 0, u: 0}] | [{t: 0, u: 0, n: [0]}, {t: 1, u: 2, n: [0, 2]}, {t: 1, u: 1, n: [0, 2, 1]}]
          {output: {'a.b': {$count: {}}}}                                 | [{a: 1}, {a: {c: 1}}, {a: [{c: 1}, 2]}] | [{a: {b: 3}}, {a: {c: 1, b: 3}}, {a: [{c: 1, b: 3}, {b: 3}]}]
          {output: {a: {$count: {}}, b: {$sum: '$a'}}}                    | [{a: 5, c: 1}]               | [{a: 1, c: 1, b: 5}]
          {output: {}}                                                    | [{a: 1}]                     | [{a: 1}]
          {output: {a: {$first: '$b'}}}                                   | [{a: 1}]                     | [{a: null}]
          """)
  void results(String argument, String input, String expected) {
    assertThat(StageFixture.run("[{$setWindowFields: " + argument + "}]", input))
        .isEqualTo(StageFixture.documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {range: [-1, 0], unit: 'day'}     | ['2024-01-01T00', '2024-01-01T12', '2024-01-02T12', '2024-01-05T00'] | [1, 2, 2, 1]
          {range: [-1, 0], unit: 'month'}   | ['2024-01-31T00', '2024-02-29T00', '2024-03-30T00']                  | [1, 2, 2]
          {range: [0, 1], unit: 'year'}     | ['2023-02-28T00', '2024-02-28T00', '2024-02-29T00']                  | [2, 2, 1]
          {range: [-1, 1], unit: 'quarter'} | ['2024-01-01T00', '2024-04-01T00', '2024-07-02T00']                  | [2, 2, 1]
          {range: [-2, -1], unit: 'week'}   | ['2024-01-01T00', '2024-01-08T00', '2024-01-22T00']                  | [0, 1, 1]
          {range: ['current', 90], unit: 'minute'} | ['2024-01-01T00', '2024-01-01T01', '2024-01-01T02']           | [2, 2, 1]
          {range: [-3600, 'current'], unit: 'second'} | ['2024-01-01T00', '2024-01-01T01', '2024-01-01T02']        | [1, 2, 2]
          {range: [-3599999, 'unbounded'], unit: 'millisecond'} | ['2024-01-01T00', '2024-01-01T01', '2024-01-01T02'] | [3, 2, 1]
          {range: ['unbounded', 1], unit: 'hour'} | ['2024-01-01T00', '2024-01-01T01', '2024-01-01T02']            | [2, 3, 3]
          """)
  void rangesOfDates(String window, String dates, String counts) {
    String input =
        dates
            .replace("['", "[{t: {$date: '")
            .replace("', '", ":00:00Z'}}, {t: {$date: '")
            .replace("']", ":00:00Z'}}]");
    WindowFixture.check(
        "{$count: {}, window: " + window + "}",
        input,
        counts.replace("[", "[{v: ").replace(", ", "}, {v: ").replace("]", "}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                        | 9       | the $setWindowFields stage specification must be an object, found int
          {}                                       | 40414   | BSON field '$setWindowFields.output' is missing but a required field
          {output: 1}                              | 14      | BSON field '$setWindowFields.output' is the wrong type 'int', expected type 'object'
          {output: {}, sortBy: 1}                  | 14      | BSON field '$setWindowFields.sortBy' is the wrong type 'int', expected type 'object'
          {output: {}, x: 1}                       | 40415   | BSON field '$setWindowFields.x' is an unknown field.
          {output: {}, sortBy: {a: 2}}             | 15975   | $sort key ordering must be 1
          {output: {}, partitionBy: [1]}           | 14      | An expression used to partition cannot evaluate to value of type array
          {output: {}, partitionBy: {$divide: [1, 0]}} | 2 | Failed to optimize partitionBy expression
          {output: {}, partitionBy: {$nonsense: 1}} | 168    | Unrecognized expression '$nonsense'
          {output: {a: 1}}                         | 9       | The field 'a' must be an object
          {output: {a: {}}}                        | 9       | Expected a $-prefixed window function
          {output: {a: {b: 1}}}                    | 9       | Expected a $-prefixed window function, b
          {output: {a: {$nonsense: 1}}}            | 9       | Unrecognized window function, $nonsense
          {output: {a: {$mergeObjects: '$x'}}}     | 9       | Unrecognized window function, $mergeObjects
          {output: {a: {$count: {}}, 'a.b': {$count: {}}}} | 6307900 | contains two conflicting paths
          {output: {'a.b': {$count: {}}, a: {$count: {}}}} | 6307900 | contains two conflicting paths
          {output: {'$a': {$count: {}}}}           | 16410   | may not start with '$'
          {output: {'a..b': {$count: {}}}}         | 15998   | may not be empty strings
          """)
  void refusedArguments(String argument, int code, String message) {
    StageFixture.checkErrorPart("[{$setWindowFields: " + argument + "}]", "[]", code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                                          | 9       | 'window' field must be an object
          {documents: [0, 1], range: [0, 1]}         | 9       | Window bounds can specify either 'documents' or 'unit', not both.
          {unit: 'day'}                              | 9       | Window bounds can only specify 'unit' with range-based bounds.
          {x: 1}                                     | 9       | 'window' field can only contain 'documents' as the only argument
          {documents: [0, 1], x: 1}                  | 9       | 'window' field that specifies documents cannot have other fields
          {range: [0, 1], x: 1}                      | 9       | 'window' field that specifies range cannot have other fields besides 'unit'
          {range: [0, 1], unit: 'day', x: 1}         | 9       | 'window' field that specifies unit cannot have other fields besides 'range'
          {documents: 1}                             | 9       | Window bounds must be a 2-element array
          {documents: [1]}                           | 9       | Window bounds must be a 2-element array
          {documents: [0, 1, 2]}                     | 9       | Window bounds must be a 2-element array
          {documents: ['x', 1]}                      | 9       | Window bounds must be 'unbounded', 'current', or a number.
          {documents: ['$x', 1]}                     | 9       | Window bounds must be 'unbounded', 'current', or a number.
          {documents: [{$add: ['$x', 1]}, 1]}        | 9       | Window bounds expression must be a constant.
          {documents: [0.5, 1]}                      | 9       | Numeric document-based bounds must be an integer
          {documents: [0, {$numberLong: '99999999999'}]} | 9   | Numeric document-based bounds must be an integer
          {documents: [null, 1]}                     | 9       | Numeric document-based bounds must be an integer
          {documents: [1, 0]}                        | 5339900 | Lower bound must not exceed upper bound: [1, 0]
          {documents: ['current', -1]}               | 5339900 | Lower bound must not exceed upper bound: [0, -1]
          {range: [1, 0]}                            | 5339900 | Lower bound must not exceed upper bound
          {range: [[], 1]}                           | 9       | Range-based bounds expression must be a number
          {range: [0, 1], unit: 1}                   | 9       | 'unit' must be a string
          {range: [0, 1], unit: 'x'}                 | 9       | unknown time unit value: x
          {range: [0.5, 1], unit: 'day'}             | 9       | With 'unit', range-based bounds must be an integer
          """)
  void refusedWindows(String window, int code, String message) {
    WindowFixture.checkError("{$sum: '$x', window: " + window + "}", "[]", code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
                                 | {documents: [0, 1]}   | 5339901
                                 | {range: [0, 1]}       | 5339902
          sortBy: {a: 1, b: 1},  | {range: [0, 1]}       | 5339902
          sortBy: {a: -1},       | {range: [0, 1]}       | 8947401
          """)
  void windowsNeedASort(String sort, String window, int code) {
    String stages =
        "[{$setWindowFields: {"
            + (sort == null ? "" : sort)
            + " output: {v: {$sum: '$x', window: "
            + window
            + "}}}}]";
    assertThat(StageFixture.errorOf(stages, "[]").code().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {range: [0, 1]}              | [{t: 'x'}]        | 5429414 | Expected the sortBy field to be a number, but it was string
          {range: [0, 1]}              | [{}]              | 5429414 | Expected the sortBy field to be a number, but it was missing
          {range: [0, 1]}              | [{t: {$date: 1}}] | 5429413 | a unit must be provided
          {range: [0, 1], unit: 'day'} | [{t: 1}]          | 5429513 | Expected the sortBy field to be a Date, but it was int
          {range: [0, 1]}              | [{p: [1], t: 1}]  | 14      | Cannot 'partitionBy' an expression of type array
          """)
  void refusedValues(String window, String input, int code, String message) {
    WindowFixture.checkError("{$sum: '$x', window: " + window + "}", input, code, message);
  }

  @Test
  void holdsNoMoreThanItMay() {
    String values =
        "[{$setWindowFields: {sortBy: {y: 1}, output: {v: {$push: '$x', window: {documents:"
            + " ['unbounded', 'current']}}}}}]";
    assertThat(errorWithin(values)).isEqualTo(ErrorCode.WINDOW_MEMORY);
    String documents = "[{$setWindowFields: {output: {v: {$sum: '$y'}}}}]";
    assertThat(errorWithin(documents)).isEqualTo(ErrorCode.WINDOW_WITHOUT_DISK);
  }

  private static ErrorCode errorWithin(String stages) {
    String input = "[" + ("{x: '" + "x".repeat(1000) + "'}, ").repeat(200) + "{}]";
    try (StageRun run = StageRun.of(new SortSpace(100_000, null, WorkMeter.unchecked()))) {
      // The sort before it would fail first.
      Stage windows = StageFixture.parse(stages).stages().getLast();
      StageFixture.drain(windows.over(StageFixture.stream(StageFixture.documents(input)), run));
      return null;
    } catch (CommandException e) {
      return e.code();
    }
  }

  @Test
  void explained() {
    List<Stage> stages =
        StageFixture.parse(
                "[{$setWindowFields: {partitionBy: {$toLower: '$p'}, sortBy: {t: 1}, output: {v:"
                    + " {$sum: '$x', window: {documents: ['unbounded', 'current']}}}}}]")
            .stages();
    assertThat(stages.stream().flatMap(stage -> stage.explained().stream()))
        .containsExactly(
            RawDocument.parse(
                "{$addFields: {__internal_setWindowFields_partition_key: {$toLower: ['$p']}}}"),
            RawDocument.parse(
                "{$sort: {sortKey: {__internal_setWindowFields_partition_key: 1, t: 1}}}"),
            RawDocument.parse(
                "{$_internalSetWindowFields: {partitionBy:"
                    + " '$__internal_setWindowFields_partition_key', sortBy: {t: 1}, output: {v:"
                    + " {$sum: '$x', window: {documents: ['unbounded', 'current']}}}}}"),
            RawDocument.parse(
                "{$project: {__internal_setWindowFields_partition_key: false, _id: true}}"));
  }

  @Test
  void tellsWhatItReadsAndWrites() {
    Stage stage =
        StageFixture.parse(
                "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {v: {$sum:"
                    + " '$x'}, 'a.b': {$count: {}}}}}]")
            .stages()
            .getLast();
    var dependencies = new Dependencies();
    stage.addDependencies(dependencies);
    assertThat(dependencies.paths()).isEqualTo(Set.of("p", "t", "x", "a"));
    assertThat(stage.modifiedPaths().paths()).isEqualTo(Set.of("v", "a.b"));
    assertThat(stage.keyPaths()).isEqualTo(Set.of("p"));
  }
}
