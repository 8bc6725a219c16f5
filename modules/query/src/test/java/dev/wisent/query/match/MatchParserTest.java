package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;

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
          {$gt: 1}                 | 2   | unknown top level operator: $gt. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {$not: {a: 1}}           | 2   | unknown top level operator: $not. If you are trying to negate an entire expression, use $nor.
          {$and: [{$natural: 1}]}  | 2   | unknown top level operator: $natural. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.
          {a: {$foo: 1}}           | 2   | unknown operator: $foo
          {a: {$gt: 1, b: 2}}      | 2   | unknown operator: b
          {a: {$maxDistance: 1}}   | 2   | unknown operator: $maxDistance
          {a: {$where: "x"}}       | 2   | $where cannot be applied to a field
          {a: {$expr: 1}}          | 2   | unknown operator: $expr
          {$jsonSchema: 5}                           | 14  | $jsonSchema must be an object
          {a: {$elemMatch: {$jsonSchema: {}}}}       | 9   | $jsonSchema can only be applied to the top-level document
          {$where: "true"}         | 6108304 | no globalScriptEngine in $where parsing
          {$where: 5}              | 2   | $where got bad type
          {$where: ""}             | 2   | code for $where cannot be empty
          {$where: {$code: "x", $scope: {}}} | 4649201 | $where no longer supports deprecated BSON type CodeWScope
          {a: {$elemMatch: {$where: "true"}}} | 2 | $elemMatch cannot contain $where expression
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }

  @Test
  void tooLongPathsAreRefused() {
    MatchCases.assertRefused(
        "{\"" + "a.".repeat(180) + "a\": 1}", 5729100, "FieldPath is too long");
    MatchCases.assertMatch("{\"" + "a.".repeat(179) + "a\": 1}", "{}", false);
  }

  @Test
  void dbRefFieldsOfTheDocumentItself() {
    MatchCases.assertMatch("{$id: 1}", "{$id: 1}", true);
    MatchCases.assertMatch("{$ref: \"c\", $id: 1}", "{$ref: \"c\", $id: 2}", false);
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
