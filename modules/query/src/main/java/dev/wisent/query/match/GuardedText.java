package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;

/**
 * Text for java.util.regex that counts how often it is looked at. That engine backtracks without a
 * limit; a pattern such as {@code (a+)+$} would keep a thread busy for years.
 */
final class GuardedText implements CharSequence {
  /** About a tenth of a second; as many steps as PCRE's own default limit allows. */
  private static final long READS_MAX = 10_000_000;

  private static final long READS_PER_CHARACTER = 100;

  private final String text;
  private long readsLeft;

  GuardedText(String text) {
    this.text = text;
    this.readsLeft = READS_MAX + READS_PER_CHARACTER * text.length();
  }

  @Override
  public char charAt(int index) {
    if (--readsLeft < 0) {
      throw new CommandException(
          ErrorCode.REGEX_MATCH_ABORTED,
          "Error occurred while executing regular expression: match limit exceeded");
    }
    return text.charAt(index);
  }

  @Override
  public int length() {
    return text.length();
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return text.substring(start, end);
  }

  @Override
  public String toString() {
    return text;
  }
}
