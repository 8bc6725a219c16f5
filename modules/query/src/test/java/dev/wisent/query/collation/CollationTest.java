package dev.wisent.query.collation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.IndexKeyV1;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollationTest {
  private static final List<String> PIECES =
      List.of(
          "a",
          "A",
          "\u00e4",
          "a\u0308",
          "\u00c5",
          "b",
          "B",
          "ch",
          "\u00e9",
          "e",
          "ss",
          "\u00df",
          "z",
          "Z",
          "1",
          "2",
          "10",
          "007",
          " ",
          "-",
          "_",
          "\u0000",
          "\u0001",
          "\u4e2d",
          "\u05d0",
          "\ud83d\ude00",
          "\u0130",
          "i",
          "\u0131");

  private static final List<String> LOCALES =
      List.of("en", "de", "de@collation=phonebook", "da", "fr_CA", "tr", "th", "zh", "es");

  private static RawValue value(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v");
  }

  private static Collation collation(String json) {
    return Collation.parse(RawDocument.parse(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {locale: "en"}                              | "a"     | "A"     | <
          {locale: "en"}                              | "A"     | "b"     | <
          {locale: "en", strength: 2}                 | "a"     | "A"     | =
          {locale: "en", strength: 2}                 | "e"     | "\u00e9"| <
          {locale: "en", strength: 1}                 | "e"     | "\u00c9"| =
          {locale: "en", strength: 1, caseLevel: true}| "a"     | "A"     | <
          {locale: "en", strength: 1, caseLevel: true}| "e"     | "\u00e9"| =
          {locale: "en", caseFirst: "upper"}          | "a"     | "A"     | >
          {locale: "da"}                              | "a"     | "A"     | >
          {locale: "en", numericOrdering: true}       | "a10"   | "a2"    | >
          {locale: "en"}                              | "a10"   | "a2"    | <
          {locale: "en"}                              | "a b"   | "ab"    | <
          {locale: "en", alternate: "shifted"}        | "a b"   | "ab"    | =
          {locale: "en", alternate: "shifted"}        | "a-b"   | "ab"    | =
          {locale: "en", alternate: "shifted", maxVariable: "space"} | "a-b" | "ab" | <
          {locale: "en", alternate: "shifted", strength: 4} | "a b" | "ab"| <
          {locale: "fr"}                              | "cot\u00e9" | "c\u00f4te" | <
          {locale: "fr_CA"}                           | "cot\u00e9" | "c\u00f4te" | >
          {locale: "fr", backwards: true}             | "cot\u00e9" | "c\u00f4te" | >
          {locale: "sv"}                              | "z"     | "\u00e4"| <
          {locale: "de"}                              | "z"     | "\u00e4"| >
          {locale: "en", strength: 5}                 | "\u00e5"| "a\u030a"| =
          {locale: "en"}                              | ""      | "a"     | <
          {locale: "en", strength: 1}                 | {x: "a"}| {x: "A"}| =
          {locale: "en", strength: 1}                 | {x: "a"}| {X: "a"}| >
          {locale: "en", strength: 1}                 | ["a", {b: ["C"]}] | ["A", {b: ["c"]}] | =
          {locale: "en", strength: 1}                 | ["a", 1] | ["A", 2] | <
          {locale: "en"}                              | 5       | "a"     | <
          {locale: "en"}                              | "a"     | {}      | <
          {locale: "en"}                              | 1       | 1.0     | =
          """)
  void order(String collation, String a, String b, char expected) {
    int order = collation(collation).compare(value(a), value(b));
    assertThat(order < 0 ? '<' : order > 0 ? '>' : '=').isEqualTo(expected);
    assertThat(Integer.signum(collation(collation).compare(value(b), value(a))))
        .isEqualTo(-Integer.signum(order));
  }

  @Test
  void codeAndOtherTypesStayAsTheyAre() {
    Collation collation = collation("{locale: 'en', strength: 1}");
    for (String value : List.of("{$code: 'A'}", "1", "null", "true")) {
      assertThat(collation.key(value(value))).isEqualTo(value(value));
    }
  }

  /** The order of strings, that of their keys, and that of index keys made of these are one. */
  @Test
  void keysAreInTheOrderOfTheirStrings() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      Collation collation = random(random);
      RawValue a = RawValue.ofString(text(random));
      RawValue b = RawValue.ofString(text(random));
      int order = Integer.signum(collation.compare(a, b));
      assertThat(ValueOrder.compare(collation.key(a), collation.key(b)))
          .as("seed %d: %s and %s under %s", seed, a, b, collation)
          .isEqualTo(order);
      assertThat(
              Integer.signum(Arrays.compareUnsigned(encoded(collation, a), encoded(collation, b))))
          .as("seed %d: encoded %s and %s under %s", seed, a, b, collation)
          .isEqualTo(order);
    }
  }

  private static byte[] encoded(Collation collation, RawValue value) {
    return new IndexKeyV1.Encoder().append(collation.key(value), false).toByteArray();
  }

  static Collation random(Random random) {
    String locale = LOCALES.get(random.nextInt(LOCALES.size()));
    return collation(
        "{locale: '%s', strength: %d, caseLevel: %b, numericOrdering: %b, backwards: %b%s}"
            .formatted(
                locale,
                1 + random.nextInt(5),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? ", alternate: 'shifted'" : ", normalization: true"));
  }

  private static String text(Random random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      text.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return text.toString();
  }

  @Test
  void isSharedByThreads() throws Exception {
    Collation collation = collation("{locale: 'en', strength: 1}");
    Callable<Void> work =
        () -> {
          for (int i = 0; i < 2_000; i++) {
            RawValue lower = RawValue.ofString("name " + i);
            RawValue upper = RawValue.ofString("NAME " + i);
            assertThat(collation.compare(lower, upper)).isZero();
            assertThat(collation.key(lower)).isEqualTo(collation.key(upper));
          }
          return null;
        };
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (var done : threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> work).toList())) {
        done.get();
      }
    }
  }

  @Test
  void choicesAreToldAsCommandsHaveThem() {
    RawDocument french = RawDocument.parse("{locale: 'fr'}");
    assertThat(CollationChoice.INHERITED.document()).isEqualTo(RawDocument.EMPTY);
    assertThat(CollationChoice.of(french).document()).isEqualTo(french);
    assertThat(CollationChoice.exactly(null).document())
        .isEqualTo(RawDocument.parse("{locale: 'simple'}"));
    Collation parsed = Collation.parse(french);
    assertThat(CollationChoice.exactly(parsed).document()).isEqualTo(parsed.document());
  }
}
