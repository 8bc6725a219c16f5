package dev.wisent.query.cases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The cases of one operator, in a text file that bears its name. A line is
 *
 * <ul>
 *   <li>{@code == title}: a section begins;
 *   <li>{@code over document}: what the following cases look at, until the next such line;
 *   <li>{@code none: reason}: why a section has no cases;
 *   <li>{@code # remark}, or empty;
 *   <li>a case: {@code something => result}, or {@code something !! code message}.
 * </ul>
 */
record CaseFile(List<Section> sections) {
  private static final String SECTION = "== ";
  private static final String OVER = "over ";
  private static final String NONE = "none: ";

  /**
   * What belongs together.
   *
   * @param reason why there are no cases; null where there are
   */
  record Section(String title, List<Case> cases, String reason) {}

  /** One line, and what it looks at. */
  record Case(int line, String over, String text) {}

  static CaseFile read(Path file) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var sections = new ArrayList<Section>();
    String over = "{}";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.startsWith(SECTION)) {
        sections.add(new Section(line.substring(SECTION.length()), new ArrayList<>(), null));
      } else if (line.startsWith(OVER)) {
        over = line.substring(OVER.length());
      } else if (line.startsWith(NONE)) {
        Section open = sections.removeLast();
        sections.add(new Section(open.title(), open.cases(), line.substring(NONE.length())));
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        if (sections.isEmpty()) {
          throw new IllegalArgumentException(file + ":" + (i + 1) + " is in no section");
        }
        sections.getLast().cases().add(new Case(i + 1, over, line));
      }
    }
    return new CaseFile(sections);
  }
}
