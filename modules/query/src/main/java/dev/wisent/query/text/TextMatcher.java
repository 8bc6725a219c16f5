package dev.wisent.query.text;

import dev.wisent.bson.RawDocument;
import java.util.Set;

/** Asks documents for what a search wants. Belongs to one thread. */
public final class TextMatcher {
  private final TextIndexSpec spec;
  private final TextSearch search;
  private final TextTokenizers tokenizers = new TextTokenizers();

  public TextMatcher(TextIndexSpec spec, TextSearch search) {
    this.spec = spec;
    this.search = search;
  }

  /** Whether a document has what the search wants. */
  public boolean matches(RawDocument document) {
    return hasAny(document, search.terms()) && meetsTheRest(document);
  }

  /** The same for a document that has one of the indexed terms. */
  public boolean matchesFound(RawDocument document) {
    boolean exactly = search.caseSensitive() || search.diacriticSensitive();
    return (!exactly || hasAny(document, search.terms())) && meetsTheRest(document);
  }

  private boolean meetsTheRest(RawDocument document) {
    return (search.negatedTerms().isEmpty() || !hasAny(document, search.negatedTerms()))
        && search.phrases().stream().allMatch(phrase -> hasPhrase(document, phrase))
        && search.negatedPhrases().stream().noneMatch(phrase -> hasPhrase(document, phrase));
  }

  private boolean hasAny(RawDocument document, Set<String> terms) {
    return !TextFields.forEach(
        spec, document, (text, language, weight) -> !hasAny(text, language, terms));
  }

  private boolean hasAny(String text, TextLanguage language, Set<String> terms) {
    TextTokenizer tokens = tokenizers.of(language).start(text, search.tokenForm());
    for (String term = tokens.next(); term != null; term = tokens.next()) {
      if (terms.contains(term)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasPhrase(RawDocument document, String phrase) {
    return !TextFields.forEach(
        spec, document, (text, language, weight) -> !hasPhrase(text, language, phrase));
  }

  private boolean hasPhrase(String text, TextLanguage language, String phrase) {
    boolean turkish = language == TextLanguage.TURKISH;
    TokenForm form = search.tokenForm();
    return TextTokenizer.comparable(text, form, turkish)
        .contains(TextTokenizer.comparable(phrase, form, turkish));
  }
}
