package dev.wisent.query.text;

/**
 * What tokens are wanted of a text.
 *
 * @param withoutStopWords whether stop words are left out
 * @param caseSensitive whether letters keep their case, which most stemmers do not know then
 * @param diacriticSensitive whether letters keep their diacritics
 */
record TokenForm(boolean withoutStopWords, boolean caseSensitive, boolean diacriticSensitive) {
  /** The terms of an index. */
  static final TokenForm INDEXED = new TokenForm(true, false, false);
}
