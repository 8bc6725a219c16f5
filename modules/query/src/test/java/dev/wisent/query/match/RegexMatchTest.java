package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;
import dev.wisent.query.path.FieldPath;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegexMatchTest {
  private static boolean matches(String pattern, String options, String text) {
    var document = RawDocument.of(new BsonDocument("a", new BsonString(text)));
    return new RegexMatch(FieldPath.of("a"), pattern, options, WorkMeter.unchecked())
        .matches(document);
  }

  private static MatchExpression parse(BsonDocument condition) {
    return MatchParser.parse(RawDocument.of(new BsonDocument("a", condition)), MatchCases.CONTEXT);
  }

  private static BsonDocument condition(String first, BsonValue a, String second, BsonValue b) {
    return new BsonDocument(first, a).append(second, b);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: /b/}       | {a: "abc"}         | true
          {a: /^b/}      | {a: "abc"}         | false
          {a: /B/i}      | {a: "abc"}         | true
          {a: /b/}       | {a: 5}             | false
          {a: /b/}       | {}                 | false
          {a: /b/}       | {a: null}          | false
          {a: /b/}       | {a: ["x", "b"]}    | true
          {a: /b/}       | {a: [["b"]]}       | false
          {a: /b/}       | {a: /b/}           | true
          {a: /b/}       | {a: /b/i}          | false
          {a: /b/}       | {a: {$symbol: "b"}} | true
          {"a.x": /b/}   | {a: [{x: "b"}]}    | true
          {a: /x.*z/s}   | {a: "x\\ny z"}     | true
          {a: /x.*z/}    | {a: "x\\ny z"}     | false
          """)
  void literals(String filter, String document, boolean expected) {
    MatchCases.assertMatch(filter, document, expected);
  }

  /** Extended JSON would make a literal of these. */
  @Test
  void optionsBehindAString() {
    var text = RawDocument.parse("{a: \"ABC\"}");
    var b = new BsonString("b");
    var i = new BsonString("i");
    assertThat(parse(new BsonDocument("$regex", b)).matches(text)).isFalse();
    assertThat(parse(condition("$regex", b, "$options", i)).matches(text)).isTrue();
    refused(condition("$regex", b, "$options", new BsonInt32(1)), 2, "$options has to be a string");
    refused(
        condition("$regex", b, "$options", new BsonString("g")),
        51108,
        " invalid flag in regex options: g");
  }

  @Test
  void patternsThatAreNone() {
    refused(
        new BsonDocument("$regex", new BsonString("a\0b")),
        2,
        "Regular expression cannot contain an embedded null byte");
    refused(
        new BsonDocument("$regex", new BsonString("x".repeat(40_000))),
        51091,
        "Regular expression is invalid: regular expression is too large");
  }

  private static void refused(BsonDocument condition, int code, String message) {
    CommandException error = catchThrowableOfType(CommandException.class, () -> parse(condition));
    assertThat(error).hasMessage(message);
    assertThat(error.code().code()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ^abc        |   | abc    | true
          ^a.c        |   | a      | false
          \\Aab       |   | ab     | true
          ^ab*c       |   | a      | false
          ^ab?        |   | a      | false
          ^a\\.b      |   | a.b    | true
          ^a\\.b$     |   | a.b    | false
          ^a\\d       |   | a      | false
          ^ab         | i |        | false
          ^ab         | m |        | false
          ^ab         | s | ab     | true
          abc         |   |        | false
          ^(ab)       |   |        | false
          """)
  void prefixes(String pattern, String options, String prefix, boolean only) {
    var match =
        new RegexMatch(
            FieldPath.of("a"), pattern, options == null ? "" : options, WorkMeter.unchecked());
    assertThat(match.prefix().orElse(null)).isEqualTo(prefix);
    assertThat(match.isPrefixOnly()).isEqualTo(only);
  }

  @Test
  void alternativesHaveNoPrefix() {
    var match = new RegexMatch(FieldPath.of("a"), "^ab|c", "", WorkMeter.unchecked());
    assertThat(match.prefix()).isEmpty();
    assertThat(match.isPrefixOnly()).isFalse();
    assertThat(matches("^ab|c", "", "xc")).isTrue();
  }

  @Test
  void plainTextIsFoundInTheBytes() {
    assertThat(matches("ö", "", "schön")).isTrue();
    assertThat(matches("^schö", "", "schön")).isTrue();
    assertThat(matches("^ö", "", "schön")).isFalse();
    assertThat(matches("", "", "x")).isTrue();
    assertThat(matches("^", "", "")).isTrue();
    assertThat(matches("long", "", "lo")).isFalse();
    assertThat(matches("\\.", "", "a.b")).isTrue();
    assertThat(matches("\\.", "", "ab")).isFalse();
  }

  @Test
  void runawayBacktrackingIsStopped() {
    assertThatThrownBy(() -> matches("(.*a){12}$", "", "a".repeat(24) + "b"))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.REGEX_MATCH_ABORTED));
    assertThat(matches("a+b", "", "a".repeat(2_000) + "b")).isTrue();
  }

  @Test
  void deepRecursionIsStopped() {
    assertThatThrownBy(() -> matches("(?:a|b)*c", "", "ab".repeat(2_000_000)))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.REGEX_MATCH_ABORTED));
  }

  @Test
  void theTextAtTheBeginningOfAPatternDoesNotHideTheRest() {
    MatchCases.assertMatch("{a: /ab[0-9]/}", "{a: 'ab ab7'}", true);
    MatchCases.assertMatch("{a: /ab[0-9]/}", "{a: 'ab ab'}", false);
    MatchCases.assertMatch("{a: /ab[0-9]/}", "{a: 'a7'}", false);
    MatchCases.assertMatch("{a: /^ab[0-9]/}", "{a: 'ab7'}", true);
    MatchCases.assertMatch("{a: /^ab[0-9]/}", "{a: 'xab7'}", false);
    MatchCases.assertMatch("{a: /ab?c/}", "{a: 'xac'}", true);
    MatchCases.assertMatch("{a: /ab{0}c/}", "{a: 'xac'}", true);
    MatchCases.assertMatch("{a: /ä.$/}", "{a: 'xäy'}", true);
    MatchCases.assertMatch("{a: /ab|c/}", "{a: 'c'}", true);
    MatchCases.assertMatch("{a: /AB[0-9]/i}", "{a: 'ab7'}", true);
  }
}
