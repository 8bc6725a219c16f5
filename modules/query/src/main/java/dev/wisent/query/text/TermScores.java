package dev.wisent.query.text;

import dev.wisent.bson.RawDocument;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the terms of documents are worth. Of a term that comes several times in a field each further
 * time counts half; a term counts more in a field that has few others, and a little more still if
 * it is all there is. Belongs to one thread.
 */
public final class TermScores {
  private static final double WHOLE_FIELD_BOOST = 1.1;

  private final TextIndexSpec spec;
  private final TextTokenizers tokenizers = new TextTokenizers();
  private final Map<String, Frequency> frequencies = new HashMap<>();
  private final Map<String, Double> scores = new LinkedHashMap<>();

  /** How often a term comes in a field. */
  private static final class Frequency {
    private double count;
    private double step;
    private double sum;

    void add() {
      step = step == 0 ? 1 : step * 2;
      count++;
      sum += 1 / step;
    }
  }

  public TermScores(TextIndexSpec spec) {
    this.spec = spec;
  }

  /** The terms of a document with their scores; valid until the next call. */
  public Map<String, Double> of(RawDocument document) {
    scores.clear();
    TextFields.forEach(spec, document, this::addField);
    return scores;
  }

  /** What a search gives a document: the sum of what its terms are worth there. */
  public double sum(RawDocument document, TextSearch search) {
    Map<String, Double> worth = of(document);
    return search.indexedTerms().stream().mapToDouble(term -> worth.getOrDefault(term, 0.0)).sum();
  }

  private boolean addField(String text, TextLanguage language, double weight) {
    frequencies.clear();
    TextTokenizer tokens = tokenizers.of(language).start(text, TokenForm.INDEXED);
    int count = 0;
    for (String term = tokens.next(); term != null; term = tokens.next()) {
      frequencies.computeIfAbsent(term, any -> new Frequency()).add();
      count++;
    }
    for (Map.Entry<String, Frequency> entry : frequencies.entrySet()) {
      String term = entry.getKey();
      Frequency frequency = entry.getValue();
      double share = 0.5 * frequency.count / count + 0.5;
      double boost = equalsIgnoringAsciiCase(text, term) ? WHOLE_FIELD_BOOST : 1;
      scores.merge(term, weight * frequency.sum * share * boost, Double::sum);
    }
    return true;
  }

  private static boolean equalsIgnoringAsciiCase(String text, String term) {
    if (text.length() != term.length()) {
      return false;
    }
    for (int i = 0; i < term.length(); i++) {
      if (lower(text.charAt(i)) != lower(term.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char) (c | 0x20) : c;
  }
}
