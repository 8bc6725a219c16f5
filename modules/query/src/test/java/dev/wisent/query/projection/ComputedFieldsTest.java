package dev.wisent.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.expression.Frame;
import dev.wisent.query.interrupt.WorkMeter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComputedFieldsTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0);

  private static String addFields(String spec, String document) {
    RawDocument root = RawDocument.parse(document);
    return AddFieldsParser.parse("$addFields", value(spec), CONTEXT)
        .apply(root, new Frame(WorkMeter.unchecked(), root))
        .toString();
  }

  private static RawValue value(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v");
  }

  private static String json(String document) {
    return RawDocument.parse(document).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {x: 1}                        | {_id: 1, a: 2}            | {_id: 1, a: 2, x: 1}
          {a: '$_id', b: '$a'}          | {_id: 1, a: 2, c: 3}      | {_id: 1, a: 1, c: 3, b: 2}
          {a: '$$REMOVE'}               | {_id: 1, a: 2, c: 3}      | {_id: 1, c: 3}
          {a: '$none'}                  | {_id: 1, a: 2}            | {_id: 1}
          {'a.b': 1}                    | {a: {c: 2}}               | {a: {c: 2, b: 1}}
          {'a.b': 1}                    | {a: 5, c: 1}              | {a: {b: 1}, c: 1}
          {'a.b': 1}                    | {c: 1}                    | {c: 1, a: {b: 1}}
          {'a.b': 1}                    | {a: [1, {c: 2}, [{}, 3]]} | {a: [{b: 1}, {c: 2, b: 1}, [{b: 1}, {b: 1}]]}
          {a: {b: 1, c: '$x'}}          | {a: {b: 0, d: 1}, x: 9}   | {a: {b: 1, d: 1, c: 9}, x: 9}
          {a: {b: {$literal: {}}}}      | {}                        | {a: {b: {}}}
          {a: ['$x', 1]}                | {x: 2}                    | {x: 2, a: [2, 1]}
          {n: {$size: '$l'}}            | {l: [1, 2]}               | {l: [1, 2], n: 2}
          """)
  void addsFields(String spec, String document, String expected) {
    assertThat(addFields(spec, document)).isEqualTo(json(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                       | 40272 | $addFields specification stage must be an object, got int
          {a: 1, 'a.b': 2}        | 40176 | Invalid $addFields :: caused by :: specification contains two conflicting paths. Cannot specify both 'a.b' and 'a': { a: 1, a.b: 2 }
          {a: {$add: 1, b: 1}}    | 40181 | Invalid $addFields :: caused by :: an expression specification must contain exactly one field, the name of the expression. Found 2 fields in { $add: 1, b: 1 }, while parsing object { a: { $add: 1, b: 1 } }.
          {a: {'b.c': 1}}         | 40183 | Invalid $addFields :: caused by :: cannot use dotted field name 'b.c' in a sub object: { a: { b.c: 1 } }
          {$a: 1}                 | 16410 | Invalid $addFields :: caused by :: FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {a: {$noSuch: 1}}       | 168   | Invalid $addFields :: caused by :: Unrecognized expression '$noSuch'
          {a: {$divide: [1, 0]}}  | 2     | Failed to optimize pipeline :: caused by :: can't $divide by zero
          """)
  void mistakesOfAddFields(String spec, int code, String message) {
    CommandException error =
        catchThrowableOfType(
            CommandException.class,
            () -> AddFieldsParser.parse("$addFields", value(spec), CONTEXT));
    assertThat(error).as(spec).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {b: 1, x: '$a'}               | {_id: 1, a: 2, b: 3}     | {_id: 1, b: 3, x: 2}
          {x: {$add: ['$a', 1]}}        | {_id: 1, a: 2, b: 3}     | {_id: 1, x: 3}
          {_id: 0, a: 'text', b: 1}     | {_id: 1, a: 2, b: 3}     | {b: 3, a: 'text'}
          {_id: '$a', b: 1}             | {_id: 1, a: 2, b: 3}     | {b: 3, _id: 2}
          {'a.x': '$b'}                 | {_id: 1, a: {c: 1}, b: 3} | {_id: 1, a: {x: 3}}
          {'a.x': '$b', 'a.c': 1}       | {_id: 1, a: {c: 1}, b: 3} | {_id: 1, a: {c: 1, x: 3}}
          {'a.x': '$b'}                 | {_id: 1, a: [1, {y: 1}], b: 3} | {_id: 1, a: [{x: 3}, {x: 3}]}
          {'a.x': '$b', b: 1}           | {_id: 1, a: 5, b: 3}     | {_id: 1, a: {x: 3}, b: 3}
          {a: {c: 1, d: '$b'}}          | {_id: 1, a: {c: 1}, b: 3} | {_id: 1, a: {c: 1, d: 3}}
          {a: '$none'}                  | {_id: 1, a: 2}           | {_id: 1}
          {a: ['$b', '$none']}          | {_id: 1, b: 2}           | {_id: 1, a: [2, null]}
          {l: {$slice: ['$l', 1, 1]}}   | {_id: 1, l: [1, 2, 3]}   | {_id: 1, l: [2]}
          """)
  void projectsComputedFields(String spec, String document, String expected) {
    RawDocument root = RawDocument.parse(document);
    Projection found = Projection.parse(RawDocument.parse(spec), RawDocument.EMPTY, CONTEXT);
    assertThat(found.apply(root, null).toString()).isEqualTo(json(expected));
    Projection stage = Projection.parseStage(RawDocument.parse(spec), CONTEXT);
    assertThat(stage.apply(root, null).toString()).isEqualTo(json(expected));
  }

  @Test
  void tellsWhichFieldsItNeeds() {
    Projection projection =
        Projection.parse(
            RawDocument.parse("{b: 1, x: '$a.c', 'p.q': 1, 'r.s': '$t'}"),
            RawDocument.EMPTY,
            CONTEXT);
    assertThat(projection.requiredFields().orElseThrow())
        .containsExactlyInAnyOrder("_id", "b", "a.c", "p.q", "r", "t");
    assertThat(projection.isSimple()).isFalse();
    assertThat(projection.isPlainInclusion()).isFalse();
    Projection whole =
        Projection.parse(RawDocument.parse("{x: '$$ROOT'}"), RawDocument.EMPTY, CONTEXT);
    assertThat(whole.requiredFields()).isEmpty();
  }
}
