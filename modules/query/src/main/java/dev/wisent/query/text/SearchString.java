package dev.wisent.query.text;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of a search string: words, phrases in quotes, and both with a minus in front. The words
 * of a phrase are words too, unless it is negated. A minus counts where blanks are before it and
 * none behind it, and then up to the next blank: {@code -foo-bar} negates both.
 *
 * @param words separated by blanks
 */
record SearchString(
    String words, String negatedWords, List<String> phrases, List<String> negatedPhrases) {

  static SearchString parse(String search) {
    return new Parser(search).parse();
  }

  private static final class Parser {
    private final String search;
    private final StringBuilder words = new StringBuilder();
    private final StringBuilder negatedWords = new StringBuilder();
    private final List<String> phrases = new ArrayList<>();
    private final List<String> negatedPhrases = new ArrayList<>();
    private int position;
    private boolean afterBlank = true;
    private boolean negated;

    /** Where the phrase that is open begins, or -1. */
    private int phraseStart = -1;

    Parser(String search) {
      this.search = search;
    }

    SearchString parse() {
      skipBlanks();
      while (position < search.length()) {
        int start = position++;
        char first = search.charAt(start);
        boolean special = first == '-' || first == '"';
        while (!special && position < search.length() && isText(search.charAt(position))) {
          position++;
        }
        int end = position;
        boolean wasAfterBlank = afterBlank;
        afterBlank = skipBlanks();
        switch (first) {
          case '-' -> negated |= phraseStart < 0 && wasAfterBlank;
          case '"' -> quote(start, wasAfterBlank);
          default -> text(search.substring(start, end), wasAfterBlank);
        }
      }
      return new SearchString(words.toString(), negatedWords.toString(), phrases, negatedPhrases);
    }

    private void text(String text, boolean wasAfterBlank) {
      if (phraseStart >= 0 && negated) {
        return;
      }
      if (wasAfterBlank) {
        negated = false;
      }
      (negated ? negatedWords : words).append(text).append(' ');
    }

    private void quote(int at, boolean wasAfterBlank) {
      if (phraseStart >= 0) {
        (negated ? negatedPhrases : phrases).add(search.substring(phraseStart, at));
        phraseStart = -1;
      } else {
        phraseStart = at + 1;
        if (wasAfterBlank) {
          negated = false;
        }
      }
    }

    private boolean skipBlanks() {
      int start = position;
      while (position < search.length() && isBlank(search.charAt(position))) {
        position++;
      }
      return position > start;
    }

    private static boolean isText(char c) {
      return c != '-' && c != '"' && !isBlank(c);
    }

    /** As in MongoDB, a tab is none. */
    private static boolean isBlank(char c) {
      return c == ' ' || (c >= '\n' && c <= '\r');
    }
  }
}
