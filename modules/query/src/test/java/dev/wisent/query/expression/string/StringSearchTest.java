package dev.wisent.query.expression.string;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class StringSearchTest {
  private final long seed = Long.getLong("wisent.seed", System.nanoTime());

  @Test
  void findsWhatThePlatformFinds() {
    System.out.println("StringSearchTest seed " + seed);
    var random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      String text = text(random, 300);
      String token =
          random.nextBoolean() ? part(text, random) : part(text, random) + text(random, 40);
      int from = random.nextInt(text.length() + 1);
      assertThat(StringSearch.indexOf(text, token, from)).isEqualTo(text.indexOf(token, from));
      assertThat(StringSearch.replace(text, token, "-")).isEqualTo(text.replace(token, "-"));
    }
  }

  /** Few different letters, so that much is found twice. */
  private static String text(Random random, int lengthMax) {
    var text = new StringBuilder();
    int runs = random.nextInt(lengthMax / 10 + 1);
    for (int i = 0; i < runs; i++) {
      text.append(String.valueOf((char) ('a' + random.nextInt(2))).repeat(random.nextInt(20)));
    }
    return text.toString();
  }

  private static String part(String text, Random random) {
    int start = random.nextInt(text.length() + 1);
    return text.substring(start, start + random.nextInt(text.length() - start + 1));
  }

  /** Comparing at each place would take a day. */
  @Test
  void longTokensTakeLinearTime() {
    String text = "a".repeat(10_000_000);
    String token = "a".repeat(5_000_000) + "b";
    assertThat(StringSearch.indexOf(text, token, 0)).isEqualTo(-1);
    assertThat(StringSearch.replace(text + token, token, "!").equals(text + "!")).isTrue();
  }
}
