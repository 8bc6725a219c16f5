package dev.wisent.conformance.pages;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Output as a page shows it. */
final class ShownOutput {
  private static final Pattern ELISION = Pattern.compile("\\.\\.\\.");

  private ShownOutput() {}

  /**
   * Whether it is what was printed. Three points stand for any text, on a line of their own for any
   * lines. Spaces at the ends of lines do not count.
   */
  static boolean matches(String shown, String printed) {
    String regex =
        Stream.of(ELISION.split(tidy(shown), -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.DOTALL).matcher(tidy(printed)).matches();
  }

  private static String tidy(String text) {
    return text.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip();
  }
}
