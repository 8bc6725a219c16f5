package dev.wisent.query.text;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeSet;

/**
 * What a {@code $text} asks for. The sets are in the order of their terms.
 *
 * @param language of the terms
 * @param indexedTerms which keys of the index are read
 * @param terms one of them must be in a document
 * @param negatedTerms none of them may be
 * @param phrases all of them must be, as they are
 * @param negatedPhrases none of them may be
 */
public record TextSearch(
    TextLanguage language,
    SequencedSet<String> indexedTerms,
    SequencedSet<String> terms,
    SequencedSet<String> negatedTerms,
    List<String> phrases,
    List<String> negatedPhrases,
    boolean caseSensitive,
    boolean diacriticSensitive) {

  /**
   * Parses a search.
   *
   * @param arguments what the query says
   * @param defaultLanguage of the index, for a query that names none
   */
  public static TextSearch parse(TextArguments arguments, TextLanguage defaultLanguage) {
    TextLanguage language =
        arguments.language().isEmpty() ? defaultLanguage : TextLanguage.find(arguments.language());
    if (language == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "unsupported language: \""
              + arguments.language()
              + "\" for text index version "
              + TextIndexSpec.VERSION);
    }
    SearchString search = SearchString.parse(arguments.search());
    var tokenizer = new TextTokenizer(language);
    var wanted = new TokenForm(true, arguments.caseSensitive(), arguments.diacriticSensitive());
    return new TextSearch(
        language,
        terms(tokenizer, search.words(), TokenForm.INDEXED),
        terms(tokenizer, search.words(), wanted),
        terms(tokenizer, search.negatedWords(), wanted),
        search.phrases(),
        search.negatedPhrases(),
        arguments.caseSensitive(),
        arguments.diacriticSensitive());
  }

  private static SequencedSet<String> terms(TextTokenizer tokenizer, String words, TokenForm form) {
    var terms = new TreeSet<String>();
    tokenizer.start(words, form);
    for (String term = tokenizer.next(); term != null; term = tokenizer.next()) {
      terms.add(term);
    }
    return terms;
  }

  /** Whether a document with one of the indexed terms needs to be asked nothing more. */
  public boolean isAnsweredByIndex() {
    return !caseSensitive
        && !diacriticSensitive
        && negatedTerms.isEmpty()
        && phrases.isEmpty()
        && negatedPhrases.isEmpty();
  }

  /** Tokens as the terms of this search are; stop words are none of them anyway. */
  TokenForm tokenForm() {
    return new TokenForm(false, caseSensitive, diacriticSensitive);
  }
}
