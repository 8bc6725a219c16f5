package dev.wisent.bench.data;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** Random text and random numbers that depend on nothing but a seed. */
public final class SeededText {
  /** 64 characters, so that six random bits choose one. */
  private static final String ALPHABET =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .";

  private static final String[] WORDS =
      ("river stone market winter signal copper garden letter engine harbor window silver bridge"
           + " forest candle island mirror pocket ladder planet button carpet dinner eleven finger"
           + " guitar hammer insect jacket kettle lemon meadow needle orange pepper quarry rabbit"
           + " saddle tunnel uncle valley wagon yellow zipper anchor basket camera desert energy"
           + " fabric glass helmet ink jungle kitten lantern magnet nephew oyster parade quiver"
           + " ribbon salmon timber")
          .split(" ");

  private SeededText() {}

  /** A generator for one numbered thing; neighbouring numbers give unrelated sequences. */
  public static SplittableRandom random(long seed, long number) {
    return new SplittableRandom(mix(seed ^ mix(number)));
  }

  /** A random string of exactly {@code chars} characters that compresses badly. */
  public static String characters(SplittableRandom random, int chars) {
    byte[] text = new byte[chars];
    long bits = 0;
    for (int i = 0; i < chars; i++) {
      if (i % 10 == 0) {
        bits = random.nextLong();
      }
      text[i] = (byte) ALPHABET.charAt((int) (bits & 63));
      bits >>>= 6;
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /** Words up to exactly {@code chars} characters; compresses about as prose does. */
  public static String words(SplittableRandom random, int chars) {
    StringBuilder text = new StringBuilder(chars + 16);
    while (text.length() < chars) {
      text.append(word(random)).append(' ');
    }
    text.setLength(chars);
    return text.toString();
  }

  static String word(SplittableRandom random) {
    return WORDS[random.nextInt(WORDS.length)];
  }

  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
