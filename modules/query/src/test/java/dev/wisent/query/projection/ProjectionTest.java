package dev.wisent.query.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchDetails;
import dev.wisent.query.match.MatchParser;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProjectionTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0);

  private static Projection parse(String spec) {
    return Projection.parse(RawDocument.parse(spec), RawDocument.EMPTY, CONTEXT);
  }

  private static String apply(String spec, String document) {
    return ValueText.of(parse(spec).apply(RawDocument.parse(document), null));
  }

  private static String applyPositional(String spec, String filter, String document) {
    RawDocument raw = RawDocument.parse(document);
    var details = new MatchDetails();
    assertThat(MatchParser.parse(RawDocument.parse(filter), CONTEXT).matches(raw, details))
        .isTrue();
    return ValueText.of(parse(spec).apply(raw, details));
  }

  private static void assertError(CommandException error, int code, String message) {
    assertThat(error).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}                  | {_id: 1, a: 1}                           | { _id: 1, a: 1 }
          {a: 1}              | {_id: 1, a: 1, b: 2}                     | { _id: 1, a: 1 }
          {a: true}           | {_id: 1, a: 1, b: 2}                     | { _id: 1, a: 1 }
          {a: 0.5}            | {_id: 1, a: 1, b: 2}                     | { _id: 1, a: 1 }
          {b: 1, a: 1}        | {_id: 1, a: 1, c: 3, b: 2}               | { _id: 1, a: 1, b: 2 }
          {a: 1, _id: 0}      | {_id: 1, a: 1, b: 2}                     | { a: 1 }
          {_id: 1}            | {_id: 1, a: 1}                           | { _id: 1 }
          {_id: 0}            | {_id: 1, a: 1}                           | { a: 1 }
          {a: 1}              | {_id: 1, b: 2}                           | { _id: 1 }
          {a: 1}              | {a: null, _id: 1}                        | { a: null, _id: 1 }
          {"a.b": 1}          | {_id: 1, a: {b: 1, c: 2}, d: 1}          | { _id: 1, a: { b: 1 } }
          {"a.b": 1}          | {_id: 1, a: {c: 2}}                      | { _id: 1, a: {} }
          {"a.b": 1}          | {_id: 1, a: 5}                           | { _id: 1 }
          {"a.b": 1}          | {_id: 1, a: [{b: 1, c: 1}, 5, {c: 1}]}   | { _id: 1, a: [ { b: 1 }, {} ] }
          {"a.b": 1}          | {_id: 1, a: [[{b: 1, c: 1}, 1], []]}     | { _id: 1, a: [ [ { b: 1 } ], [] ] }
          {"a.b": 1}          | {_id: 1, a: []}                          | { _id: 1, a: [] }
          {"a.0": 1}          | {_id: 1, a: [1, 2]}                      | { _id: 1, a: [] }
          {a: {b: 1}}         | {_id: 1, a: {b: 1, c: 2}}                | { _id: 1, a: { b: 1 } }
          {a: {b: 1, "c.d": 1}} | {_id: 1, a: {b: 1, c: {d: 1, e: 1}}}   | { _id: 1, a: { b: 1, c: { d: 1 } } }
          {"a.b": 1, "a.c": 1} | {_id: 1, a: {c: 1, x: 1, b: 2}}         | { _id: 1, a: { c: 1, b: 2 } }
          {"a.b": 1, a: {c: 1}} | {_id: 1, a: {c: 1, x: 1, b: 2}}        | { _id: 1, a: { c: 1, b: 2 } }
          {"_id.a": 1}        | {_id: {a: 1, b: 2}, c: 1}                | { _id: { a: 1 } }
          """)
  void inclusion(String spec, String document, String expected) {
    assertThat(apply(spec, document)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 0}              | {_id: 1, a: 1, b: 2}                     | { _id: 1, b: 2 }
          {a: false, b: 0}    | {_id: 1, a: 1, x: 0, y: 1, b: 2, z: 3}   | { _id: 1, x: 0, y: 1, z: 3 }
          {a: 0, _id: 0}      | {_id: 1, a: 1, b: 2}                     | { b: 2 }
          {a: 0, _id: 1}      | {_id: 1, a: 1, b: 2}                     | { _id: 1, b: 2 }
          {a: 0}              | {_id: 1}                                 | { _id: 1 }
          {"a.b": 0}          | {_id: 1, a: {b: 1, c: 2}}                | { _id: 1, a: { c: 2 } }
          {"a.b": 0}          | {_id: 1, a: 5}                           | { _id: 1, a: 5 }
          {"a.b": 0}          | {_id: 1, a: [{b: 1, c: 1}, 5, [{b: 1}]]} | { _id: 1, a: [ { c: 1 }, 5, [ {} ] ] }
          {a: {b: 0}}         | {_id: 1, a: {b: 1, c: 2}, d: 1}          | { _id: 1, a: { c: 2 }, d: 1 }
          {"a.0": 0}          | {a: [1, 2]}                              | { a: [ 1, 2 ] }
          """)
  void exclusion(String spec, String document, String expected) {
    assertThat(apply(spec, document)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$slice: 2}}            | {_id: 1, a: [1, 2, 3], b: 1}     | { _id: 1, a: [ 1, 2 ], b: 1 }
          {a: {$slice: -2}}           | {a: [1, 2, 3]}                   | { a: [ 2, 3 ] }
          {a: {$slice: -5}}           | {a: [1, 2, 3]}                   | { a: [ 1, 2, 3 ] }
          {a: {$slice: 0}}            | {a: [1, 2, 3]}                   | { a: [] }
          {a: {$slice: 1.9}}          | {a: [1, 2, 3]}                   | { a: [ 1 ] }
          {a: {$slice: [1, 1]}}       | {a: [1, 2, 3]}                   | { a: [ 2 ] }
          {a: {$slice: [-2, 1]}}      | {a: [1, 2, 3]}                   | { a: [ 2 ] }
          {a: {$slice: [-9, 2]}}      | {a: [1, 2, 3]}                   | { a: [ 1, 2 ] }
          {a: {$slice: [5, 1]}}       | {a: [1, 2, 3]}                   | { a: [] }
          {a: {$slice: [2, 9]}}       | {a: [1, 2, 3]}                   | { a: [ 3 ] }
          {a: {$slice: [2147483647, 2147483647]}} | {a: [1]}             | { a: [] }
          {a: {$slice: 1}}            | {a: 5, b: 1}                     | { a: 5, b: 1 }
          {a: {$slice: 1}}            | {b: 1}                           | { b: 1 }
          {a: {$slice: 1}, b: 1}      | {_id: 1, a: [1, 2], b: 1, c: 1}  | { _id: 1, a: [ 1 ], b: 1 }
          {a: {$slice: 1}, b: 0}      | {_id: 1, a: [1, 2], b: 1, c: 1}  | { _id: 1, a: [ 1 ], c: 1 }
          {a: {$slice: 1}, _id: 1}    | {_id: 1, a: [1, 2], b: 1}        | { _id: 1, a: [ 1 ] }
          {a: {$slice: 1}, _id: 0}    | {_id: 1, a: [1, 2], b: 1}        | { a: [ 1 ], b: 1 }
          {"a.b": {$slice: 1}}        | {a: {b: [1, 2], c: 1}}           | { a: { b: [ 1 ], c: 1 } }
          {"a.b": {$slice: 1}}        | {a: [{b: [1, 2]}, {b: 3}, 4]}    | { a: [ { b: [ 1 ] }, { b: 3 }, 4 ] }
          {"a.b": {$slice: 1}}        | {a: [[{b: [1, 2]}]]}             | { a: [ [ { b: [ 1, 2 ] } ] ] }
          {"a.b": {$slice: 1}, c: 1}  | {a: [{b: [1, 2], x: 1}], c: 1, d: 1} | { a: [ { b: [ 1 ] } ], c: 1 }
          """)
  void slice(String spec, String document, String expected) {
    assertThat(apply(spec, document)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: {$elemMatch: {x: 2}}}         | {_id: 1, a: [{x: 1}, {x: 2, y: 1}], b: 1} | { _id: 1, a: [ { x: 2, y: 1 } ] }
          {a: {$elemMatch: {x: 3}}}         | {_id: 1, a: [{x: 1}], b: 1}       | { _id: 1 }
          {a: {$elemMatch: {$gt: 1}}}       | {_id: 1, a: [1, 2, 3]}            | { _id: 1, a: [ 2 ] }
          {a: {$elemMatch: {$gt: 1}}}       | {_id: 1, a: 5}                    | { _id: 1 }
          {a: {$elemMatch: {$gt: 1}}}       | {_id: 1}                          | { _id: 1 }
          {a: {$elemMatch: {$gt: 1}}, b: 1, c: 1} | {_id: 1, a: [2], b: 1, c: 2} | { _id: 1, b: 1, c: 2, a: [ 2 ] }
          {a: {$elemMatch: {$gt: 1}}, b: 0} | {_id: 1, a: [1, 2], b: 1, c: 2}   | { _id: 1, a: [ 2 ], c: 2 }
          {a: {$elemMatch: {$gt: 9}}, b: 0} | {_id: 1, a: [1, 2], b: 1, c: 2}   | { _id: 1, c: 2 }
          {a: {$elemMatch: {$gt: 1}}, _id: 0} | {_id: 1, a: [1, 2], b: 1}       | { a: [ 2 ] }
          """)
  void elemMatch(String spec, String document, String expected) {
    assertThat(apply(spec, document)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"a.$": 1}          | {a: 2}           | {_id: 1, a: [1, 2, 3], b: 1}              | { _id: 1, a: [ 2 ] }
          {"a.$": 1}          | {"a.x": 2}       | {_id: 1, a: [{x: 1}, {x: 2, y: 1}]}       | { _id: 1, a: [ { x: 2, y: 1 } ] }
          {"a.$": 1, b: 1}    | {a: {$gt: 1}}    | {_id: 1, a: [1, 2], b: 1, c: 1}           | { _id: 1, a: [ 2 ], b: 1 }
          {"a.$": 1, _id: 0}  | {a: {$elemMatch: {x: 2}}} | {_id: 1, a: [{x: 1}, {x: 2}]}    | { a: [ { x: 2 } ] }
          {"a.x.$": 1}        | {"a.x": 2}       | {_id: 1, a: [{x: 1}, {x: 2, y: 1}]}       | { _id: 1, a: [ { x: 2 } ] }
          {"a.x.$": 1}        | {"a.x": 2}       | {_id: 1, a: {x: [1, 2], y: 1}}            | { _id: 1, a: { x: [ 2 ] } }
          {"a.$": 1}          | {a: 2}           | {_id: 1, a: 2}                            | { _id: 1, a: 2 }
          {"b.$": 1}          | {a: 2}           | {_id: 1, a: [1, 2], b: [7, 8]}            | { _id: 1, b: [ 8 ] }
          {"a.$": 1}          | {_id: 1}         | {_id: 1}                                  | { _id: 1 }
          """)
  void positional(String spec, String filter, String document, String expected) {
    assertThat(parse(spec).needsMatchDetails()).isTrue();
    assertThat(applyPositional(spec, filter, document)).isEqualTo(expected);
  }

  @Test
  void positionalWithoutAMatchedElement() {
    assertError(
        catchThrowableOfType(
            CommandException.class, () -> applyPositional("{\"a.$\": 1}", "{}", "{a: [1]}")),
        51246,
        "positional operator '.$' couldn't find a matching element in the array");
    assertError(
        catchThrowableOfType(
            CommandException.class,
            () -> applyPositional("{\"b.$\": 1}", "{a: 2}", "{a: [1, 2], b: [7]}")),
        51247,
        "positional operator '.$' element mismatch");
    assertError(
        catchThrowableOfType(
            CommandException.class,
            () -> applyPositional("{\"a.x.$\": 1}", "{a: 2}", "{a: [1, 2]}")),
        51247,
        "positional operator '.$' element mismatch");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {a: 1, b: 0}                 | 31254 | Cannot do exclusion on field b in inclusion projection
          {a: 0, b: 1}                 | 31253 | Cannot do inclusion on field b in exclusion projection
          {a: 1, "_id.x": 0}           | 31254 | Cannot do exclusion on field _id.x in inclusion projection
          {a: 0, b: {c: 1}}            | 31253 | Cannot do inclusion on field c in exclusion projection
          {a: 1, "a.b": 1}             | 31249 | Path collision at a.b remaining portion b
          {"a.b": 1, a: 1}             | 31250 | Path collision at a
          {"a.b": 1, "a.b.c": 1}       | 31249 | Path collision at a.b.c remaining portion b.c
          {a: {b: 1}, "a.b": 1}        | 31250 | Path collision at a.b
          {"a.$": 1, "b.$": 1}         | 31276 | Cannot specify more than one positional projection per query.
          {"a.$": 1, b: {$elemMatch: {x: 1}}} | 31255 | Cannot specify positional operator and $elemMatch.
          {b: {$elemMatch: {x: 1}}, "a.$": 1} | 31256 | Cannot specify positional operator and $elemMatch.
          {"a.$": 0}                   | 31395 | positional projection cannot be used with exclusion
          {"a.$": {b: 1}}              | 31271 | positional projection cannot be used with an expression or sub object
          {"a.$": "x"}                 | 31308 | positional projection cannot be used with a literal
          {".$": 1}                    | 5392900 | Projection on field .$ is invalid
          {"a..$": 1}                  | 40353 | FieldPath must not end with a '.'.
          {a: {$elemMatch: 1}}         | 31274 | elemMatch: Invalid argument, object required, but got int
          {"a.b": {$elemMatch: {x: 1}}} | 31275 | Cannot use $elemMatch projection on a nested field.
          {a: {b: {$elemMatch: {x: 1}}}} | 31275 | Cannot use $elemMatch projection on a nested field.
          {a: {$elemMatch: {$foo: 1}}} | 2     | unknown operator: $foo
          {a: {}}                      | 51270 | An empty sub-projection is not a valid value. Found empty object at path
          {a: {$slice: [1]}}           | 28667 | Invalid $slice syntax. The given syntax { $slice: [ 1 ] } did not match the find() syntax because :: Location31272: $slice array argument should be of form [skip, limit] :: The given syntax did not match the expression $slice syntax. :: caused by :: Expression $slice takes at least 2 arguments, and at most 3, but 1 were passed in.
          {a: {$slice: "x"}}           | 28667 | Invalid $slice syntax. The given syntax { $slice: "x" } did not match the find() syntax because :: Location31273: $slice only supports numbers and [skip, limit] arrays :: The given syntax did not match the expression $slice syntax. :: caused by :: Expression $slice takes at least 2 arguments, and at most 3, but 1 were passed in.
          {a: {$slice: [1, 0]}}        | 28724 | First argument to $slice must be an array, but is of type: int
          {a: {$slice: 1, b: 1}}       | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {$a: 1}                      | 16410 | FieldPath field names may not start with '$'. Consider using $getField or $setField.
          {"": 1}                      | 40352 | FieldPath cannot be constructed with empty string
          {b: 0, a: "x"}               | 31310 | Cannot use an expression a: "x" in an exclusion projection
          {a: {$noSuch: [1, 2]}}       | 31325 | Unknown expression $noSuch
          {b: 0, a: {$add: [1, 2]}}    | 31252 | Cannot use expression other than $meta in exclusion projection
          {a: {$meta: "score"}}        | 9     | 'featureFlagRankFusionFull' must be enabled to use 'score' or 'scoreDetails' meta field
          {a: {$meta: "foo"}}          | 17308 | Unsupported argument to $meta: foo
          {a: {$meta: 1}}              | 17307 | $meta only supports string arguments
          """)
  void refusals(String spec, int code, String message) {
    assertError(catchThrowableOfType(CommandException.class, () -> parse(spec)), code, message);
  }

  @Test
  void positionalInsideAPath() {
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> parse("{\"a.$.b\": 1}"));
    assertThat(error.code().code()).isEqualTo(31394);
    assertThat(error).hasMessageStartingWith("As of 4.4, it's illegal to specify positional");
  }

  @Test
  void positionalNeedsAQuery() {
    assertError(
        catchThrowableOfType(
            CommandException.class,
            () -> Projection.parse(RawDocument.parse("{\"a.$\": 1}"), null, CONTEXT)),
        51050,
        "Projections with a positional operator require a matcher");
  }

  @Test
  void sameFieldTwice() {
    RawDocument spec = new BsonBuilder().appendInt32("a", 1).appendInt32("a", 1).toDocument();
    assertError(
        catchThrowableOfType(
            CommandException.class, () -> Projection.parse(spec, RawDocument.EMPTY, CONTEXT)),
        31250,
        "Path collision at a");
  }

  @Test
  void duplicateFieldsInADocumentAllCount() {
    RawDocument document =
        new BsonBuilder()
            .appendInt32("a", 1)
            .appendInt32("a", 2)
            .appendInt32("b", 3)
            .appendInt32("c", 4)
            .toDocument();
    assertThat(ValueText.of(parse("{a: 1, b: 1, _id: 0}").apply(document, null)))
        .isEqualTo("{ a: 1, a: 2, b: 3 }");
  }

  @Test
  void manyFields() {
    String all =
        IntStream.range(0, 200).mapToObj(i -> "f" + i + ": " + i).collect(Collectors.joining(", "));
    String odd =
        IntStream.range(0, 200)
            .filter(i -> i % 2 == 1)
            .mapToObj(i -> "f" + i + ": 1")
            .collect(Collectors.joining(", "));
    RawDocument document = RawDocument.parse("{" + all + "}");
    RawDocument included = parse("{" + odd + "}").apply(document, null);
    RawDocument excluded = parse("{" + odd.replace(": 1", ": 0") + "}").apply(document, null);
    assertThat(included.fieldCount()).isEqualTo(100);
    assertThat(included.get("f199").asInt32()).isEqualTo(199);
    assertThat(excluded.fieldCount()).isEqualTo(100);
    assertThat(excluded.get("f198").asInt32()).isEqualTo(198);
  }

  @Test
  void whatAPlannerAsks() {
    assertThat(parse("{}").isIdentity()).isTrue();
    assertThat(parse("{_id: 0}").isIdentity()).isFalse();
    assertThat(parse("{a: 1}").isInclusion()).isTrue();
    assertThat(parse("{a: 1, \"b.c\": 1}").requiredFields()).contains(Set.of("_id", "a", "b.c"));
    assertThat(parse("{a: 1, _id: 0}").requiredFields()).contains(Set.of("a"));
    assertThat(parse("{a: 0}").requiredFields()).isEmpty();
    assertThat(parse("{a: {$slice: 1}}").requiredFields()).isEmpty();
    assertThat(parse("{a: {$elemMatch: {x: 1}}}").requiredFields()).contains(Set.of("_id", "a"));
  }

  @Test
  void appendsToAnOpenDocument() {
    var out = new BsonBuilder();
    out.appendInt32("before", 0);
    parse("{a: 0}").append(RawDocument.parse("{a: 1, b: 2}"), null, out);
    out.appendInt32("after", 9);
    assertThat(ValueText.of(out.toDocument())).isEqualTo("{ before: 0, b: 2, after: 9 }");
  }

  /** A document carries its metadata in front of its fields, and a projection leaves it out. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {s: {$meta: "textScore"}}               | {_id: 1, a: 1, s: 2.5}
          {a: 1, s: {$meta: "textScore"}}         | {_id: 1, a: 1, s: 2.5}
          {_id: 0, s: {$meta: "textScore"}}       | {a: 1, s: 2.5}
          {a: 0, s: {$meta: "recordId"}}          | {_id: 1, s: 7}
          {a: {$meta: "textScore"}}               | {_id: 1, a: 2.5}
          {a: 1, s: {$meta: "sortKey"}}           | {_id: 1, a: 1}
          {a: 1, "s.t": {$meta: "textScore"}}     | {_id: 1, a: 1, s: {t: 2.5}}
          {a: 1, s: {$add: [{$meta: "textScore"}, 1]}} | {_id: 1, a: 1, s: 3.5}
          {_id: 1, r: "$$ROOT", s: {$meta: "recordId"}} | {_id: 1, r: {_id: 1, a: 1}, s: 7}
          """)
  void metadata(String spec, String expected) {
    RawDocument carrying =
        new MetadataWriter()
            .start()
            .put(MetaType.TEXT_SCORE, 2.5)
            .put(MetaType.RECORD_ID, RawValue.ofInt32(7))
            .on(RawDocument.parse("{_id: 1, a: 1}"));
    Projection projection = parse(spec);
    assertThat(projection.metadata()).hasSize(1);
    assertThat(projection.keepsMetadata()).isFalse();
    assertThat(projection.apply(carrying, null)).isEqualTo(RawDocument.parse(expected));
    Projection whole = Projection.withMetadata(projection.metadata());
    assertThat(whole.keepsMetadata()).isTrue();
    assertThat(whole.apply(carrying, null)).isEqualTo(carrying);
  }
}
