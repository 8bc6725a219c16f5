package dev.wisent.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An entry of a help: a flag, or another word that is explained.
 *
 * @param names of a flag, with dashes; empty for other words
 * @param value how the value of a flag is called, or the whole term of another word; empty for none
 * @param optional whether the value may be missing
 */
public record HelpEntry(List<String> names, String value, boolean optional, String help) {
  private static final Pattern NAMES = Pattern.compile("(--?[A-Za-z_][\\w-]*)(, )?");

  public HelpEntry {
    names = List.copyOf(names);
  }

  /** Of what stands left of the help: names, and perhaps a value. */
  static HelpEntry of(String term) {
    List<String> names = new ArrayList<>();
    Matcher matcher = NAMES.matcher(term);
    int end = 0;
    while (matcher.find(end) && matcher.start() == end) {
      names.add(matcher.group(1));
      end = matcher.end();
      if (matcher.group(2) == null) {
        break;
      }
    }
    String rest = term.substring(end);
    return rest.startsWith("[=")
        ? new HelpEntry(names, rest.substring(2, rest.length() - 1), true, "")
        : new HelpEntry(names, rest.strip(), false, "");
  }

  HelpEntry withMore(String line) {
    return new HelpEntry(names, value, optional, help.isEmpty() ? line : help + " " + line);
  }

  boolean isFlag() {
    return !names.isEmpty();
  }

  /** Whether the next word of a command line is the value. */
  boolean takesWord() {
    return isFlag() && !value.isEmpty() && !optional;
  }

  /** The words that the value may be, if the help lists them; else empty. */
  List<String> choices() {
    return value.matches("[a-z]\\w*(\\|[a-z]\\w*)+") ? List.of(value.split("\\|")) : List.of();
  }

  boolean isFile() {
    return value.equals("FILE");
  }

  boolean isDirectory() {
    return value.equals("DIR") || value.equals("DIRECTORY");
  }
}
