package dev.wisent.query.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import org.junit.jupiter.api.Test;

final class TextMatchTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

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
