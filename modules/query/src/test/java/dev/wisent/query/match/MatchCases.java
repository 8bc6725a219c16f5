package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.cases.CaseScripts;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.text.TextIndexSpec;

/** What the tests of the operators share. */
final class MatchCases {
  static final QueryContext CONTEXT =
      QueryContext.of(() -> 0, () -> 0.5).withScripts(CaseScripts.COMPILER);

  /** What a {@code $text} is asked of. */
  static final TextIndexSpec TEXT_INDEX =
      TextIndexSpec.of(
          RawDocument.parse(
              """
              {key: {_fts: "text", _ftsx: 1}, weights: {a: 1, "b.c": 1},
               default_language: "english", language_override: "language"}
              """));

  private MatchCases() {}

  static MatchExpression parse(String filter) {
    MatchExpression expression = MatchParser.parse(RawDocument.parse(filter), CONTEXT);
    return TextMatch.in(expression) == null ? expression : TextMatch.bind(expression, TEXT_INDEX);
  }

  /**
   * Checks a line: {@code filter => true}, {@code filter => false}, {@code filter !! code message}.
   */
  static void check(String document, String line) {
    if (line.contains(" !! ")) {
      String[] parts = line.split(" !! ", 2);
      int space = parts[1].indexOf(' ');
      assertRefused(
          parts[0], Integer.parseInt(parts[1].substring(0, space)), parts[1].substring(space + 1));
    } else {
      String[] parts = line.split(" => ", 2);
      assertThat(parts[1]).as(line).isIn("true", "false");
      assertMatch(parts[0], document, Boolean.parseBoolean(parts[1]));
    }
  }

  static void assertMatch(String filter, String document, boolean expected) {
    assertThat(matches(parse(filter), RawDocument.parse(document)))
        .as("%s on %s", filter, document)
        .isEqualTo(expected);
  }

  /** Asks in both ways, for a document alone and for one of many, which must agree. */
  static boolean matches(MatchExpression filter, RawDocument document) {
    boolean matches = filter.matches(document);
    DocumentFilter many = DocumentFilter.of(filter);
    assertThat(many == null || many.matches(document))
        .as("%s as one of many: %s", document, MatchDocument.of(filter))
        .isEqualTo(matches);
    return matches;
  }

  static void assertRefused(String filter, int code, String message) {
    CommandException error = catchThrowableOfType(CommandException.class, () -> parse(filter));
    assertThat(error).as(filter).isNotNull();
    assertThat(error.getMessage()).isEqualTo(message);
    assertThat(error.code().code()).isEqualTo(code);
  }
}
