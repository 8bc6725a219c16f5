package dev.wisent.query.match;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.query.interrupt.WorkMeter;

/**
 * Text for java.util.regex that counts how often it is looked at. That engine backtracks without a
 * limit; a pattern such as {@code (a+)+$} would keep a thread busy for years.
 */
final class GuardedText implements CharSequence {
  /** About a tenth of a second; as many steps as PCRE's own default limit allows. */
  private static final long READS_MAX = 10_000_000;

  private static final long READS_PER_CHARACTER = 100;

  /** After so many reads, a power of two, it is asked whether the query has to end. */
  private static final long READS_PER_CHECK = 1 << 16;

  private final String text;
  private final WorkMeter meter;
  private long readsLeft;

  GuardedText(String text, WorkMeter meter) {
    this.text = text;
    this.meter = meter;
    this.readsLeft = READS_MAX + READS_PER_CHARACTER * text.length();
  }

  @Override
  public char charAt(int index) {
    if ((--readsLeft & (READS_PER_CHECK - 1)) == 0) {
      check();
    }
    return text.charAt(index);
  }

  private void check() {
    if (readsLeft <= 0) {
      throw new CommandException(
          ErrorCode.REGEX_MATCH_ABORTED,
          "Error occurred while executing regular expression: match limit exceeded");
    }
    meter.check();
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
