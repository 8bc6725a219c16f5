package dev.wisent.query.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TermScoresTest {
  /** Weights, a document, and what MongoDB stores for it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: 1}          | {a: "cat sat"}                      | cat=0.75 sat=0.75
          {a: 1}          | {a: "cat"}                          | cat=1.1
          {a: 1}          | {a: "CAT"}                          | cat=1.1
          {a: 1}          | {a: "cats"}                         | cat=1.0
          {a: 1}          | {a: "cat cat"}                      | cat=1.5
          {a: 1}          | {a: "cat cat cat"}                  | cat=1.75
          {a: 1}          | {a: "cat cat dog"}                  | cat=1.25 dog=0.6666666666666666
          {a: 1}          | {a: "the cat"}                      | cat=1.0
          {a: 10, b: 1}   | {a: "cat sat", b: "cat"}            | cat=8.6 sat=7.5
          {a: 1}          | {a: ["cat", "cat sat"]}             | cat=1.85 sat=0.75
          {a: 1}          | {a: [["cat"]]}                      |
          {"$**": 1}      | {a: [["cat"]]}                      | cat=1.1
          {a: 1}          | {a: 5}                              |
          {a: 1}          | {a: null, b: "cat"}                 |
          {a: 1}          | {a: {b: "cat"}}                     |
          {"a.b": 2}      | {a: {b: "cat"}}                     | cat=2.2
          {"a.b": 2}      | {a: [{b: "cat"}, {b: "dog"}, {c: "x"}]} | cat=2.2 dog=2.2
          {"a.b": 2}      | {a: "cat"}                          |
          {"$**": 1}      | {a: "cat", b: {c: "dog"}, d: 1}     | cat=1.1 dog=1.1
          {"$**": 1, b: 5} | {c: "cat", b: "dog"}               | cat=1.1 dog=5.5
          {"$**": 1, b: 5} | {a: "cat"}                         | cat=1.1
          {"$**": 1, "b.c": 5} | {b: {c: "cat", d: "dog"}, "b.c": "cow"} | cat=5.5 dog=1.1 cow=1.1
          {"a.b": 2}      | {"a.b": "cat"}                      |
          {"a.b": 2}      | {"a.b": ["cat"], a: {b: "dog"}}     | dog=2.2
          {"a.b.c": 2}    | {a: {"b.c": "cat"}}                 |
          {"a.b.c": 2}    | {"a.b": {c: "cat"}}                 |
          {a: 1, "a.b": 2} | {a: ["cat", {b: "dog"}]}           | cat=1.1 dog=2.2
          {"$**": 1}      | {a: "cat", language: "english"}     | cat=1.1
          {a: 1}          | {a: ""}                             |
          """)
  void scores(String weights, String document, String expected) {
    var scores = new TreeMap<>(new TermScores(spec(weights)).of(RawDocument.parse(document)));
    Map<String, Double> wanted = new TreeMap<>();
    if (expected != null) {
      for (String entry : expected.split(" ")) {
        wanted.put(entry.split("=")[0], Double.valueOf(entry.split("=")[1]));
      }
    }
    assertThat(scores.keySet()).isEqualTo(wanted.keySet());
    wanted.forEach((term, score) -> assertThat(scores.get(term)).isCloseTo(score, within(1e-12)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: "Häuser", language: "german"}                    | haus
          {a: "Häuser", language: "de"}                        | haus
          {a: "Häuser", language: "NONE"}                      | hauser
          {b: {c: "houses"}}                                   | hous
          {b: {c: "houses", language: "none"}}                 | houses
          {b: [{c: "houses", language: "none"}, {c: "mice"}]}  | houses mice
          {language: "none", b: {c: "houses", language: "en"}} | hous
          """)
  void languages(String document, String terms) {
    var scores = new TermScores(spec("{a: 1, \"b.c\": 1}")).of(RawDocument.parse(document));
    assertThat(String.join(" ", new TreeMap<>(scores).keySet())).isEqualTo(terms);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {a: "x", language: 5}                      | 17261 | found language override field in document with non-string type
          {a: "x", language: null}                   | 17261 | found language override field in document with non-string type
          {a: "x", language: "klingon"}              | 17262 | language override unsupported: klingon
          {b: {c: "x", language: "klingon"}}         | 17262 | language override unsupported: klingon
          """)
  void wrongLanguages(String document, int code, String message) {
    var scores = new TermScores(spec("{a: 1, \"b.c\": 1}"));
    assertThatThrownBy(() -> scores.of(RawDocument.parse(document)))
        .hasMessage(message)
        .extracting(e -> ((CommandException) e).code().code())
        .isEqualTo(code);
  }

  @Test
  void longTermsAreCutAndHashed() {
    String longTerm = "x".repeat(300);
    assertThat(TermKey.of("cat").asString()).isEqualTo("cat");
    assertThat(TermKey.of("x".repeat(224)).asString()).hasSize(224);
    assertThat(TermKey.of(longTerm).asString()).hasSize(256).startsWith("x".repeat(224));
    assertThat(TermKey.of(longTerm + "y").asString()).isNotEqualTo(TermKey.of(longTerm).asString());
    assertThat(TermKey.of("é".repeat(300)).asString()).startsWith("é".repeat(112));
  }

  private static TextIndexSpec spec(String weights) {
    return TextIndexSpec.of(
        RawDocument.parse(
            "{key: {_fts: \"text\", _ftsx: 1}, weights: "
                + weights
                + ", default_language: \"english\", language_override: \"language\"}"));
  }
}
