package dev.wisent.tools.live;

import java.io.PrintStream;
import java.util.List;

/** Prints tables one below the other, or each in the place of the last one. For one thread. */
final class TableOutput {
  private static final String ESCAPE = "\u001b[";
  private static final String HOME = ESCAPE + "H";
  private static final String CLEAR_TO_END_OF_LINE = ESCAPE + "K";
  private static final String CLEAR_BELOW = ESCAPE + "J";

  private final PrintStream out;
  private final boolean inPlace;
  private boolean begun;

  TableOutput(PrintStream out, boolean inPlace) {
    this.out = out;
    this.inPlace = inPlace;
  }

  void print(List<String> lines) {
    if (!inPlace) {
      lines.forEach(out::println);
    } else {
      // Written over and not cleared before: a cleared screen flickers.
      var screen = new StringBuilder(begun ? HOME : HOME + CLEAR_BELOW);
      lines.forEach(line -> screen.append(line).append(CLEAR_TO_END_OF_LINE).append('\n'));
      out.print(screen.append(CLEAR_BELOW));
      begun = true;
    }
    out.flush();
  }
}
