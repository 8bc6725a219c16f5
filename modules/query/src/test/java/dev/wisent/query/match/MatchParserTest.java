package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.match.MatchOperator.Support;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MatchParserTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$foo: 1}                | 2   | unknown top level operator: $foo. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {$and: [{$natural: 1}]}  | 2   | unknown top level operator: $natural. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {a: {$foo: 1}}           | 2   | unknown operator: $foo
          {a: {$gt: 1, b: 2}}      | 2   | unknown operator: b
          {a: {$maxDistance: 1}}   | 2   | unknown operator: $maxDistance
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }

  @Test
  void withoutJavaScriptThereIsNoWhere() {
    RawDocument filter = RawDocument.parse("{$where: 'true'}");
    QueryContext context = QueryContext.of(() -> 0, () -> 0.5);
    assertThatThrownBy(() -> MatchParser.parse(filter, context))
        .hasMessage("no globalScriptEngine in $where parsing");
  }

  @Test
  void tooLongPathsAreRefused() {
    MatchCases.assertRefused(
        "{\"" + "a.".repeat(180) + "a\": 1}", 5729100, "FieldPath is too long");
    MatchCases.assertMatch("{\"" + "a.".repeat(179) + "a\": 1}", "{}", false);
  }

  /** The id of a DBRef is a value; the collection and the database are names. */
  @Test
  void onlyTheIdOfADbRefHasACollation() {
    QueryContext context =
        MatchCases.CONTEXT.withCollation(
            Collation.parse(RawDocument.parse("{locale: 'en', strength: 2}")));
    RawDocument document = RawDocument.parse("{$ref: 'c', $id: 'i', $db: 'd'}");
    assertThat(MatchParser.parse(RawDocument.parse("{$id: 'I'}"), context).matches(document))
        .isTrue();
    assertThat(MatchParser.parse(RawDocument.parse("{$ref: 'C'}"), context).matches(document))
        .isFalse();
    assertThat(MatchParser.parse(RawDocument.parse("{$db: 'D'}"), context).matches(document))
        .isFalse();
  }

  /** The names of MongoDB 8.0. */
  @Test
  void everyOperatorHasARow() {
    Set<String> names =
        MatchOperators.rows().stream().map(MatchOperator::name).collect(Collectors.toSet());
    assertThat(names)
        .contains(
            "$eq",
            "$ne",
            "$gt",
            "$gte",
            "$lt",
            "$lte",
            "$in",
            "$nin",
            "$and",
            "$or",
            "$nor",
            "$not",
            "$exists",
            "$type",
            "$expr",
            "$jsonSchema",
            "$mod",
            "$regex",
            "$options",
            "$text",
            "$where",
            "$sampleRate",
            "$alwaysTrue",
            "$alwaysFalse",
            "$comment",
            "$search",
            "$language",
            "$caseSensitive",
            "$diacriticSensitive",
            "$all",
            "$elemMatch",
            "$size",
            "$bitsAllClear",
            "$bitsAllSet",
            "$bitsAnyClear",
            "$bitsAnySet",
            "$geoIntersects",
            "$geoWithin",
            "$within",
            "$near",
            "$nearSphere",
            "$geoNear",
            "$geometry",
            "$box",
            "$center",
            "$centerSphere",
            "$polygon",
            "$minDistance",
            "$maxDistance",
            "$uniqueDocs",
            "$ref",
            "$id",
            "$db");
    assertThat(names).hasSameSizeAs(MatchOperators.rows());
  }

  @Test
  void supportedOperatorsHaveParsers() {
    assertThat(MatchOperators.rows())
        .filteredOn(row -> row.support() == Support.SUPPORTED)
        .filteredOn(row -> row.family() != MatchOperator.Family.ARGUMENT)
        .allMatch(row -> (row.topLevelParser() == null) != (row.fieldParser() == null));
  }
}
