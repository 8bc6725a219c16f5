package dev.wisent.query.text;

/**
 * A phrase as texts are searched for it: folded and without diacritics, where these do not count.
 * Texts are compared as they stand, without another form of them being made.
 */
final class Phrase {
  private final String phrase;
  private final boolean folds;
  private final boolean diacriticSensitive;
  private final boolean turkish;

  /** The characters that count; null where all do, as they are. */
  private final int[] wanted;

  /** Turkish has no phrases in which case counts. */
  Phrase(String phrase, TokenForm form, boolean turkish) {
    this.phrase = phrase;
    this.folds = turkish || !form.caseSensitive();
    this.diacriticSensitive = form.diacriticSensitive();
    this.turkish = turkish;
    this.wanted =
        !folds && diacriticSensitive
            ? null
            : phrase.codePoints().map(this::compared).filter(c -> c != 0).toArray();
  }

  /** What a character is compared by; 0 for one that does not count. */
  private int compared(int codePoint) {
    int folded = folds ? CodePoints.fold(codePoint, turkish) : codePoint;
    return diacriticSensitive ? folded : CodePoints.withoutDiacritics(folded);
  }

  boolean isIn(String text) {
    if (wanted == null) {
      return text.contains(phrase);
    }
    if (wanted.length == 0) {
      return true;
    }
    int codePoint;
    for (int i = 0; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      if (compared(codePoint) == wanted[0] && isAt(text, i)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAt(String text, int start) {
    int found = 0;
    int codePoint;
    for (int i = start; i < text.length(); i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      int compared = compared(codePoint);
      if (compared == 0) {
        continue;
      }
      if (compared != wanted[found]) {
        return false;
      }
      if (++found == wanted.length) {
        return true;
      }
    }
    return false;
  }
}
