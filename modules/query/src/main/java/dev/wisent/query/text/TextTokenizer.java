package dev.wisent.query.text;

import java.util.HashMap;
import java.util.Map;
import org.apache.lucene.analysis.CharArraySet;
import org.tartarus.snowball.SnowballStemmer;

/**
 * Splits text into words and makes terms of them: folded to one case, stop words out, stemmed, then
 * without diacritics. Stop words and stemmers do know diacritics. Belongs to one thread.
 */
final class TextTokenizer {
  /** Few words make up most of a text, so their stems are kept. */
  private static final int STEMS_KEPT_MAX = 4096;

  private static final int WORD_KEPT_LENGTH_MAX = 32;

  private final boolean english;
  private final boolean turkish;
  private final SnowballStemmer stemmer;
  private final CharArraySet stopWords;
  private final Map<String, String> terms = new HashMap<>();
  private final StringBuilder buffer = new StringBuilder();
  private String text;
  private TokenForm form;
  private int position;

  TextTokenizer(TextLanguage language) {
    this.english = language == TextLanguage.ENGLISH;
    this.turkish = language == TextLanguage.TURKISH;
    this.stemmer = WordForms.stemmer(language);
    this.stopWords = WordForms.stopWords(language);
  }

  TextTokenizer start(String newText, TokenForm newForm) {
    text = newText;
    form = newForm;
    position = 0;
    skipDelimiters();
    return this;
  }

  /** The next term; null at the end. */
  String next() {
    while (position < text.length()) {
      int start = position;
      position = wordEnd();
      int end = position;
      skipDelimiters();
      String folded = folded(start, end);
      if (!form.withoutStopWords() || !stopWords.contains(folded)) {
        return term(form.caseSensitive() ? text.substring(start, end) : folded);
      }
    }
    return null;
  }

  private void skipDelimiters() {
    while (position < text.length()) {
      int codePoint = text.codePointAt(position);
      if (!CodePoints.isDelimiter(codePoint, english)) {
        return;
      }
      position += Character.charCount(codePoint);
    }
  }

  private int wordEnd() {
    int end = position;
    while (end < text.length()) {
      int codePoint = text.codePointAt(end);
      if (CodePoints.isDelimiter(codePoint, english)) {
        return end;
      }
      end += Character.charCount(codePoint);
    }
    return end;
  }

  private String folded(int start, int end) {
    buffer.setLength(0);
    int codePoint;
    for (int i = start; i < end; i += Character.charCount(codePoint)) {
      codePoint = text.codePointAt(i);
      buffer.appendCodePoint(CodePoints.fold(codePoint, turkish));
    }
    return buffer.toString();
  }

  private String term(String word) {
    if (form.diacriticSensitive()) {
      return stem(word);
    }
    String known = terms.get(word);
    if (known != null) {
      return known;
    }
    String term = withoutDiacritics(stem(word));
    if (terms.size() < STEMS_KEPT_MAX && word.length() <= WORD_KEPT_LENGTH_MAX) {
      terms.put(word, term);
    }
    return term;
  }

  private String stem(String word) {
    if (stemmer == null) {
      return word;
    }
    stemmer.setCurrent(word);
    stemmer.stem();
    return stemmer.getCurrent();
  }

  private String withoutDiacritics(String word) {
    buffer.setLength(0);
    int codePoint;
    for (int i = 0; i < word.length(); i += Character.charCount(codePoint)) {
      codePoint = word.codePointAt(i);
      int bare = CodePoints.withoutDiacritics(codePoint);
      if (bare != 0) {
        buffer.appendCodePoint(bare);
      }
    }
    return buffer.toString();
  }
}
