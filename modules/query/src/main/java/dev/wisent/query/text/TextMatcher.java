package dev.wisent.query.text;

import dev.wisent.bson.RawDocument;
import java.util.List;
import java.util.Set;

/** Asks documents for what a search wants. Belongs to one thread. */
public final class TextMatcher {
  private final TextIndexSpec spec;
  private final TextSearch search;
  private final TextTokenizers tokenizers = new TextTokenizers();
  private final List<PhraseForms> phrases;
  private final List<PhraseForms> negatedPhrases;

  /** A phrase as texts in Turkish, and as those in other languages, are searched for it. */
  private record PhraseForms(Phrase turkish, Phrase other) {
    static List<PhraseForms> of(List<String> phrases, TokenForm form) {
      return phrases.stream()
          .map(one -> new PhraseForms(new Phrase(one, form, true), new Phrase(one, form, false)))
          .toList();
    }

    Phrase in(TextLanguage language) {
      return language == TextLanguage.TURKISH ? turkish : other;
    }
  }

  public TextMatcher(TextIndexSpec spec, TextSearch search) {
    this.spec = spec;
    this.search = search;
    this.phrases = PhraseForms.of(search.phrases(), search.tokenForm());
    this.negatedPhrases = PhraseForms.of(search.negatedPhrases(), search.tokenForm());
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
        && phrases.stream().allMatch(phrase -> hasPhrase(document, phrase))
        && negatedPhrases.stream().noneMatch(phrase -> hasPhrase(document, phrase));
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

  private boolean hasPhrase(RawDocument document, PhraseForms phrase) {
    return !TextFields.forEach(
        spec, document, (text, language, weight) -> !phrase.in(language).isIn(text));
  }
}
