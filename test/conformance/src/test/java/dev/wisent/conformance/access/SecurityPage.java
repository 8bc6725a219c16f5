package dev.wisent.conformance.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The code in {@code docs/security.md}. */
final class SecurityPage {
  private static final String FENCE = "```";
  private static final String HEADING = "## ";

  private SecurityPage() {}

  /** The only block in a language below a heading. */
  static String block(String heading, String language) throws IOException {
    List<String> found = new ArrayList<>();
    String current = "";
    StringBuilder block = null;
    for (String line : Files.readAllLines(file())) {
      if (block != null) {
        if (line.equals(FENCE)) {
          found.add(block.toString());
          block = null;
        } else {
          block.append(line).append('\n');
        }
      } else if (line.startsWith(HEADING)) {
        current = line.substring(HEADING.length());
      } else if (line.equals(FENCE + language) && current.equals(heading)) {
        block = new StringBuilder();
      }
    }
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " blocks in " + language + " below: " + heading);
    }
    return found.getFirst();
  }

  /** The commands of a block for the shell, of which one may go on over several lines. */
  static List<String> commands(String block) {
    return block.replace("\\\n", "").lines().toList();
  }

  private static Path file() {
    Path directory = Path.of("").toAbsolutePath();
    while (directory != null) {
      Path page = directory.resolve("docs").resolve("security.md");
      if (Files.exists(page)) {
        return page;
      }
      directory = directory.getParent();
    }
    throw new IllegalStateException("not run inside the repository");
  }
}
