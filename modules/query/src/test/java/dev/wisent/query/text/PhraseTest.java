package dev.wisent.query.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhraseTest {
  private final long seed = Long.getLong("wisent.seed", System.nanoTime());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          coffee shop | a Coffee SHOPping tour | false | false | false | true
          coffee shop | coffee, shop           | false | false | false | false
          CAFÉ        | the cafe               | false | false | false | true
          café        | the cafe               | false | true  | false | false
          café        | the CAFÉ               | false | true  | false | true
          Cafe        | the Café               | true  | false | false | true
          Cafe        | the café               | true  | false | false | false
          Café        | the Café               | true  | true  | false | true
          Café        | the Cafe               | true  | true  | false | false
          i           | I                      | true  | true  | true  | false
          ı           | I                      | true  | true  | true  | true
          ``          | anything               | false | false | false | true
          aab         | aaaab                  | false | false | false | true
          aab         | aaa                    | false | false | false | false
          """)
  void finds(
      String phrase,
      String text,
      boolean caseSensitive,
      boolean diacriticSensitive,
      boolean turkish,
      boolean expected) {
    var form = new TokenForm(false, caseSensitive, diacriticSensitive);
    assertThat(new Phrase(phrase, form, turkish).isIn(text)).isEqualTo(expected);
  }

  /** A letter with its accent as a character of its own is the same as both in one. */
  @Test
  void accentsThatStandAlone() {
    var form = new TokenForm(false, false, false);
    assertThat(new Phrase("cafe\u0301 noir", form, false).isIn("un Cafe noir")).isTrue();
    assertThat(new Phrase("cafe noir", form, false).isIn("un cafe\u0301 noir")).isTrue();
  }

  @Test
  void findsWhatALookAtFoldedTextFinds() {
    System.out.println("PhraseTest seed " + seed);
    var random = new SplittableRandom(seed);
    int found = 0;
    for (int i = 0; i < 5000; i++) {
      String text = text(random, 12);
      String phrase = text(random, 3);
      boolean expected = bare(text).contains(bare(phrase));
      assertThat(new Phrase(phrase, new TokenForm(false, false, false), false).isIn(text))
          .as("seed %d: %s in %s", seed, phrase, text)
          .isEqualTo(expected);
      found += expected ? 1 : 0;
    }
    assertThat(found).isBetween(500, 4500);
  }

  private static String text(SplittableRandom random, int max) {
    int[] letters = {'a', 'A', 'b', 'B', 0xE1, 0x301, 0x10428, 0x10400};
    var text = new StringBuilder();
    for (int i = random.nextInt(max + 1); i > 0; i--) {
      text.appendCodePoint(letters[random.nextInt(letters.length)]);
    }
    return text.toString();
  }

  private static String bare(String text) {
    return text.toLowerCase(Locale.ROOT).replace("\u0301", "").replace('\u00e1', 'a');
  }
}
