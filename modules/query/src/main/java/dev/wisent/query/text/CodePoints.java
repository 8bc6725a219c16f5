package dev.wisent.query.text;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import com.ibm.icu.text.Normalizer2;

/**
 * What text search needs to know of characters: what separates words, what is the same in another
 * case, and what is left of a letter without its diacritics. By the Unicode properties that MongoDB
 * made its tables of.
 */
final class CodePoints {
  private static final int DOTLESS_I = 0x131;
  private static final int I_WITH_DOT = 0x130;

  /** Latin, Greek and Cyrillic letters, which are looked up most, have a table. */
  private static final int TABLE_SIZE = 0x600;

  private static final int[] DELIMITER_PROPERTIES = {
    UProperty.WHITE_SPACE,
    UProperty.DASH,
    UProperty.HYPHEN,
    UProperty.QUOTATION_MARK,
    UProperty.TERMINAL_PUNCTUATION,
    UProperty.PATTERN_SYNTAX,
    UProperty.S_TERM
  };

  private static final Normalizer2 DECOMPOSED = Normalizer2.getNFDInstance();
  private static final Normalizer2 COMPOSED = Normalizer2.getNFCInstance();

  private static final boolean[] DELIMITERS = new boolean[TABLE_SIZE];
  private static final int[] FOLDED = new int[TABLE_SIZE];
  private static final int[] BARE = new int[TABLE_SIZE];

  static {
    for (int c = 0; c < TABLE_SIZE; c++) {
      DELIMITERS[c] = hasDelimiterProperty(c);
      FOLDED[c] = UCharacter.foldCase(c, true);
      BARE[c] = bare(c);
    }
  }

  private CodePoints() {}

  /** Whether a character stands between words. An apostrophe is a part of English ones. */
  static boolean isDelimiter(int codePoint, boolean english) {
    if (english && codePoint == '\'') {
      return false;
    }
    return codePoint < TABLE_SIZE ? DELIMITERS[codePoint] : hasDelimiterProperty(codePoint);
  }

  private static boolean hasDelimiterProperty(int codePoint) {
    for (int property : DELIMITER_PROPERTIES) {
      if (UCharacter.hasBinaryProperty(codePoint, property)) {
        return true;
      }
    }
    return false;
  }

  /** The character that stands for both cases; in Turkish, i with and without a dot differ. */
  static int fold(int codePoint, boolean turkish) {
    if (turkish && codePoint == 'I') {
      return DOTLESS_I;
    }
    if (turkish && codePoint == I_WITH_DOT) {
      return 'i';
    }
    return codePoint < TABLE_SIZE ? FOLDED[codePoint] : UCharacter.foldCase(codePoint, true);
  }

  /** The character without diacritics; 0 for one that is nothing else. */
  static int withoutDiacritics(int codePoint) {
    return codePoint < TABLE_SIZE ? BARE[codePoint] : bare(codePoint);
  }

  private static int bare(int codePoint) {
    if (isDiacritic(codePoint)) {
      return 0;
    }
    String parts = DECOMPOSED.getDecomposition(codePoint);
    if (parts == null) {
      return codePoint;
    }
    var kept = new StringBuilder();
    parts.codePoints().filter(part -> !isDiacritic(part)).forEach(kept::appendCodePoint);
    String composed = COMPOSED.normalize(kept);
    boolean single = !composed.isEmpty() && composed.codePointCount(0, composed.length()) == 1;
    return single ? composed.codePointAt(0) : codePoint;
  }

  private static boolean isDiacritic(int codePoint) {
    return UCharacter.hasBinaryProperty(codePoint, UProperty.DIACRITIC);
  }
}
