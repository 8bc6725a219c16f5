package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.expression.Dependencies;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnwindStageTest {
  private static final String KEEPING = "{path: '$a', preserveNullAndEmptyArrays: true}";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '$a'     | [{_id: 1, a: [1, 'x', null, {b: 2}], c: 3}] | [{_id: 1, a: 1, c: 3}, {_id: 1, a: 'x', c: 3}, {_id: 1, a: null, c: 3}, {_id: 1, a: {b: 2}, c: 3}]
          '$a'     | [{a: [[1, 2], [3]]}]                        | [{a: [1, 2]}, {a: [3]}]
          '$a'     | [{a: 7}, {a: {}}, {a: 'x'}]                 | [{a: 7}, {a: {}}, {a: 'x'}]
          '$a'     | [{_id: 1}, {a: null}, {a: []}, {a: {$undefined: true}}] | []
          '$a.b.c' | [{x: 1, a: {y: 1, b: {c: [1, 2], z: 1}, w: 1}}] | [{x: 1, a: {y: 1, b: {c: 1, z: 1}, w: 1}}, {x: 1, a: {y: 1, b: {c: 2, z: 1}, w: 1}}]
          '$a.b'   | [{a: [{b: [1, 2]}]}, {a: 1}]                | []
          '$a.b'   | [{a: {b: 'longer'}}, {a: {b: []}}]          | [{a: {b: 'longer'}}]
          """)
  void withPathOnly(String argument, String input, String expected) {
    assertThat(StageFixture.run("[{$unwind: " + argument + "}]", input))
        .isEqualTo(StageFixture.documents(expected));
    String withPath = "[{$unwind: {path: " + argument + "}}]";
    assertThat(StageFixture.run(withPath, input)).isEqualTo(StageFixture.documents(expected));
  }

  @Test
  void keepsDocumentsWithoutElements() {
    String input = "[{_id: 1}, {_id: 2, a: null}, {_id: 3, a: [], b: 1}, {_id: 4, a: [5]}]";
    assertThat(StageFixture.run("[{$unwind: " + KEEPING + "}]", input))
        .isEqualTo(
            StageFixture.documents(
                "[{_id: 1}, {_id: 2, a: null}, {_id: 3, b: 1}, {_id: 4, a: 5}]"));
    String deep = "[{$unwind: {path: '$a.b', preserveNullAndEmptyArrays: true}}]";
    assertThat(StageFixture.run(deep, "[{a: {b: [], c: 1}, d: 1}, {a: [{b: 1}]}]"))
        .isEqualTo(StageFixture.documents("[{a: {c: 1}, d: 1}, {a: [{b: 1}]}]"));
  }

  @Test
  void tellsThePlaceInTheArray() {
    String stage =
        "[{$unwind: {path: '$a', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true}}]";
    assertThat(StageFixture.run(stage, "[{a: ['x', 'y'], i: 9}, {a: 'x'}, {b: 1}, {a: []}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: 'x', i: {$numberLong: '0'}}, {a: 'y', i: {$numberLong: '1'}},"
                    + " {a: 'x', i: null}, {b: 1, i: null}, {i: null}]"));
    String nested = "[{$unwind: {path: '$a', includeArrayIndex: 'a.i'}}]";
    assertThat(StageFixture.run(nested, "[{a: [{b: 1}, 2]}]"))
        .isEqualTo(
            StageFixture.documents(
                "[{a: {b: 1, i: {$numberLong: '0'}}}, {a: {i: {$numberLong: '1'}}}]"));
  }

  @Test
  void saysWhatItReadsAndChanges() {
    Stage stage =
        StageFixture.parse("[{$unwind: {path: '$a.b', includeArrayIndex: 'i'}}]")
            .stages()
            .getFirst();
    assertThat(stage.modifiedPaths()).isEqualTo(ModifiedPaths.of(Set.of("a.b", "i")));
    var dependencies = new Dependencies();
    assertThat(stage.addDependencies(dependencies)).isEqualTo(Stage.Sight.OF_INPUT);
    assertThat(dependencies.paths()).containsExactly("a.b");
    assertThat(dependencies.needsWholeDocument()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          '$a'          | {$unwind: {path: '$a'}}
          {path: '$a', preserveNullAndEmptyArrays: false} | {$unwind: {path: '$a'}}
          {includeArrayIndex: 'i', path: '$a', preserveNullAndEmptyArrays: true} | {$unwind: {path: '$a', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i'}}
          """)
  void explained(String argument, String expected) {
    assertThat(StageFixture.explained("{$unwind: " + argument + "}"))
        .isEqualTo(RawDocument.parse(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                          | 15981 | expected either a string or an object as specification for $unwind stage, got int
          {}                         | 28812 | no path specified to $unwind stage
          {path: 1}                  | 28808 | expected a string as the path for $unwind stage, got int
          'a'                        | 28818 | path option to $unwind stage should be prefixed with a '$': a
          {path: 'a'}                | 28818 | path option to $unwind stage should be prefixed with a '$': a
          '$'                        | 40352 | FieldPath cannot be constructed with empty string
          '$a.'                      | 40353 | FieldPath must not end with a '.'.
          '$a..b'                    | 15998 | FieldPath field names may not be empty strings.
          '$$a'                      | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {path: '$a', preserveNullAndEmptyArrays: 1} | 28809 | expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got int
          {path: '$a', includeArrayIndex: 1}  | 28810 | expected a non-empty string for the includeArrayIndex  option to $unwind stage, got int
          {path: '$a', includeArrayIndex: ''} | 28810 | expected a non-empty string for the includeArrayIndex  option to $unwind stage, got string
          {path: '$a', includeArrayIndex: '$i'} | 28822 | includeArrayIndex option to $unwind stage should not be prefixed with a '$': $i
          {path: '$a', other: 1}     | 28811 | unrecognized option to $unwind stage: other
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkError("[{$unwind: " + argument + "}]", "[]", code, message);
  }
}
