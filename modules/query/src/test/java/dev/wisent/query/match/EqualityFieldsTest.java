package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ValueText;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EqualityFieldsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}                                        | ``
          {a: 1, "b.c": "x"}                        | a=1 b.c="x"
          {a: {$eq: 1}, b: {$gt: 2}}                | a=1
          {a: {$eq: 1, $gt: 0}}                     | a=1
          {a: null}                                 | a=null
          {$and: [{a: 1}, {$and: [{b: 2}]}]}        | a=1 b=2
          {$or: [{a: 1}]}                           | a=1
          {$or: [{a: 1}, {b: 1}]}                   | ``
          {$nor: [{a: 1}]}                          | ``
          {a: {$in: [1]}}                           | a=1
          {a: {$in: [1, 2]}}                        | ``
          {a: {$in: [/x/]}}                         | ``
          {a: {$all: [1]}}                          | a=1
          {a: {$ne: 1}, b: {$not: {$eq: 1}}}        | ``
          {a: /x/}                                  | ``
          {a: {$elemMatch: {b: 1}}}                 | ``
          {a: {b: 1}, ab: 2}                        | a={ b: 1 } ab=2
          """)
  void fields(String filter, String expected) {
    String found =
        EqualityFields.of(MatchCases.parse(filter)).stream()
            .map(field -> field.path() + "=" + ValueText.of(field.value()))
            .collect(Collectors.joining(" "));
    assertThat(found).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1, $and: [{a: 1}]}   | path 'a' is matched twice
          {a: {$all: [1, 2]}}      | path 'a' is matched twice
          {a: {b: 1}, "a.b": 2}    | both paths 'a.b' and 'a' are matched
          {"a.b": 2, a: {b: 1}}    | both paths 'a' and 'a.b' are matched
          """)
  void conflicts(String filter, String what) {
    MatchExpression expression = MatchCases.parse(filter);
    CommandException error =
        catchThrowableOfType(CommandException.class, () -> EqualityFields.of(expression));
    assertThat(error).hasMessage("cannot infer query fields to set, " + what);
    assertThat(error.code()).isEqualTo(ErrorCode.NOT_SINGLE_VALUE_FIELD);
  }
}
