package dev.wisent.query.text;

import java.util.EnumMap;
import java.util.Map;

/** One tokenizer for each language that is met. Belongs to one thread. */
final class TextTokenizers {
  private final Map<TextLanguage, TextTokenizer> byLanguage = new EnumMap<>(TextLanguage.class);

  TextTokenizer of(TextLanguage language) {
    return byLanguage.computeIfAbsent(language, TextTokenizer::new);
  }
}
