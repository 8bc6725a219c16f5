package dev.wisent.conformance.pages;

import java.util.List;
import java.util.regex.Pattern;

/** What is typed into {@code mongosh}. */
final class ShellStatements {
  /** A line that goes on with the statement before it, or says nothing. */
  private static final Pattern CONTINUED = Pattern.compile("(\\s.*|[})\\].].*|//.*|)");

  private static final Pattern WITHOUT_VALUE =
      Pattern.compile("(?s)(const|let|var|for|while|if|function|async|try|do|use|class)\\b.*");

  private ShellStatements() {}

  /** The code, which prints the value of its last statement as the shell does at its prompt. */
  static String showingTheLast(String code) {
    List<String> lines = code.strip().lines().toList();
    int last = lines.size() - 1;
    while (last > 0 && CONTINUED.matcher(lines.get(last)).matches()) {
      last--;
    }
    String statement = String.join("\n", lines.subList(last, lines.size())).strip();
    if (WITHOUT_VALUE.matcher(statement).matches()) {
      return code;
    }
    return String.join("\n", lines.subList(0, last))
        + "\nwisentShow(\n"
        + (statement.endsWith(";") ? statement.substring(0, statement.length() - 1) : statement)
        + "\n)\n";
  }
}
