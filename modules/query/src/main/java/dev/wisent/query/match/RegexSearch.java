package dev.wisent.query.match;

import dev.wisent.query.interrupt.WorkMeter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A regular expression as MongoDB takes it, for those who want to know where it matches. */
public final class RegexSearch {
  private final Pattern pattern;

  private RegexSearch(Pattern pattern) {
    this.pattern = pattern;
  }

  public static RegexSearch compile(String pattern, String options) {
    return new RegexSearch(PcrePattern.compile(pattern, options));
  }

  /**
   * A matcher that gives up, with an error, where it would search without end.
   *
   * @param meter asks whether the query has to end
   */
  public Matcher matcher(String text, WorkMeter meter) {
    return pattern.matcher(new GuardedText(text, meter));
  }
}
