package dev.wisent.testkit.page;

import java.util.List;
import java.util.Optional;

/**
 * Code that stands in a page between fences, or in a comment that readers do not see.
 *
 * @param heading the nearest one above, without its signs
 * @param language as the fence names it; empty for none
 * @param text the lines, without the indentation of the fence
 * @param line of the page, from 1 on, on which the code begins
 * @param mark what a comment right above the fence says; empty for none
 * @param hidden whether it is code of a comment
 */
public record CodeBlock(
    String heading, String language, String text, int line, String mark, boolean hidden) {

  /** What stands behind a word of the mark: the reason of {@code not run: no such machine}. */
  public Optional<String> marked(String word) {
    String start = word + ":";
    if (mark.equals(word)) {
      return Optional.of("");
    }
    return mark.startsWith(start)
        ? Optional.of(mark.substring(start.length()).strip())
        : Optional.empty();
  }

  /** The commands of a block for the shell, of which one may go on over several lines. */
  public List<String> commands() {
    return text.replace("\\\n", "").lines().toList();
  }
}
