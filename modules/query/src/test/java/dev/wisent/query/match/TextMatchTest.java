package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.text.TextIndexSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextMatchTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

  private static final TextIndexSpec INDEX =
      TextIndexSpec.of(
          RawDocument.parse(
              """
              {key: {_fts: "text", _ftsx: 1}, weights: {a: 1, "b.c": 1},
               default_language: "english", language_override: "language"}
              """));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$text: "x"}                                           | 2  | $text expects an object
          {$text: {}}                                            | 4  | Missing expected field "$search"
          {$text: {$search: 1}}                                  | 14 | "$search" had the wrong type. Expected string, found int
          {$text: {$search: null}}                               | 14 | "$search" had the wrong type. Expected string, found null
          {$text: {$search: "x", $language: 1}}                  | 14 | "$language" had the wrong type. Expected string, found int
          {$text: {$search: "x", $caseSensitive: 1}}             | 14 | "$caseSensitive" had the wrong type. Expected bool, found int
          {$text: {$search: "x", $diacriticSensitive: "a"}}      | 14 | "$diacriticSensitive" had the wrong type. Expected bool, found string
          {$text: {$search: "x", $fuzzy: true}}                  | 2  | extra fields in $text
          {a: {$elemMatch: {$text: {$search: "x"}}}}             | 2  | $text can only be applied to the top-level document
          {a: {$text: {$search: "x"}}}                           | 2  | unknown operator: $text
          """)
  void refusals(String filter, int code, String message) {
    MatchCases.assertRefused(filter, code, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$nor: [{$text: {$search: "x"}}]}                             | text expression not allowed in nor
          {a: 1, $or: [{$nor: [{b: 1}, {$text: {$search: "x"}}]}]}      | text expression not allowed in nor
          {$and: [{$text: {$search: "x"}}, {$text: {$search: "y"}}]}    | Too many text expressions
          {$text: {$search: "x"}, $or: [{$text: {$search: "y"}}]}       | Too many text expressions
          """)
  void placesWhereItCannotStand(String filter, String message) {
    MatchExpression expression = parse(filter);
    assertThatThrownBy(() -> TextMatch.in(expression))
        .isInstanceOf(CommandException.class)
        .hasMessage(message)
        .extracting(e -> ((CommandException) e).code().code())
        .isEqualTo(2);
  }

  @Test
  void isFoundWhereItMayStand() {
    assertThat(TextMatch.in(parse("{a: 1}"))).isNull();
    assertThat(TextMatch.in(parse("{$text: {$search: \"x\"}}"))).isNotNull();
    assertThat(TextMatch.in(parse("{a: 1, $or: [{b: 1}, {$text: {$search: \"x\"}}]}"))).isNotNull();
  }

  @Test
  void needsAnIndexToBeAsked() {
    MatchExpression filter = parse("{$text: {$search: \"x\"}}");
    assertThatThrownBy(() -> filter.matches(RawDocument.parse("{a: \"x\"}")))
        .hasMessage("$text is not allowed in this context");
  }

  @Test
  void unknownLanguagesAreRefusedWhenBound() {
    MatchExpression filter = parse("{$text: {$search: \"x\", $language: \"klingon\"}}");
    assertThatThrownBy(() -> TextMatch.bind(filter, INDEX))
        .hasMessage("unsupported language: \"klingon\" for text index version 3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {$text: {$search: "cat"}}              | {a: "Cats"}           | true
          {$text: {$search: "cat"}}              | {a: "Dogs"}           | false
          {$text: {$search: "cat"}}              | {a: null}             | false
          {$text: {$search: "cat"}}              | {a: 1, x: "cat"}      | false
          {$text: {$search: "cat"}}              | {}                    | false
          {$text: {$search: "cat"}}              | {a: ["dog", "cat"]}   | true
          {$text: {$search: "cat"}}              | {b: [{c: "cat"}]}     | true
          {$text: {$search: "cat dog"}}          | {a: "a dog"}          | true
          {$text: {$search: "cat -dog"}}         | {a: "cat and dog"}    | false
          {$text: {$search: "\\"two cats\\""}}   | {a: "see two cats"}   | true
          {$text: {$search: "\\"two cats\\""}}   | {a: "see two. cats"}  | false
          {$text: {$search: "cat"}, x: 1}        | {a: "cat", x: 1}      | true
          {$text: {$search: "cat"}, x: 1}        | {a: "cat", x: 2}      | false
          {$or: [{$text: {$search: "cat"}}, {x: 1}]} | {a: "dog", x: 1}  | true
          """)
  void matchesOnceBound(String filter, String document, boolean expected) {
    MatchExpression bound = TextMatch.bind(parse(filter), INDEX);
    assertThat(bound.matches(RawDocument.parse(document))).isEqualTo(expected);
  }

  @Test
  void isWrittenWithItsDefaults() {
    assertThat(MatchDocument.of(parse("{$text: {$search: \"x\"}}")))
        .isEqualTo(
            RawDocument.parse(
                """
                {$text: {$search: "x", $language: "", $caseSensitive: false,
                 $diacriticSensitive: false}}
                """));
  }

  private static MatchExpression parse(String filter) {
    return MatchParser.parse(RawDocument.parse(filter), CONTEXT);
  }
}
