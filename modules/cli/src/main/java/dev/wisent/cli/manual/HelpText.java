package dev.wisent.cli.manual;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A help, read back from its text: {@code Usage:}, paragraphs, and sections of entries. An entry is
 * indented; its help follows after two spaces, or on lines that are indented further.
 *
 * @param synopsis what follows {@code Usage:}
 */
public record HelpText(String synopsis, List<String> paragraphs, List<Section> sections) {
  private static final String USAGE = "Usage: ";
  private static final Pattern ENTRY = Pattern.compile(" {2,6}(\\S.*?)(?: {2,}(\\S.*))?");
  private static final int ENTRY_INDENT_MAX = 6;

  /**
   * Entries with a title.
   *
   * @param title empty for the first ones, if they have none
   */
  public record Section(String title, List<HelpEntry> entries) {}

  public HelpText {
    paragraphs = List.copyOf(paragraphs);
    sections = List.copyOf(sections);
  }

  /** Reads a text. */
  public static HelpText parse(String text) {
    if (!text.startsWith(USAGE)) {
      throw new IllegalArgumentException("no usage: " + text);
    }
    var parser = new Parser();
    List<String> lines = text.lines().toList();
    lines.stream().skip(1).forEach(parser::read);
    parser.endParagraph();
    return new HelpText(
        lines.getFirst().substring(USAGE.length()), parser.paragraphs, parser.sections);
  }

  /** All flags, in the order of the text. */
  public List<HelpEntry> flags() {
    return sections.stream().flatMap(HelpText::flagsOf).toList();
  }

  private static Stream<HelpEntry> flagsOf(Section section) {
    return section.entries().stream().filter(HelpEntry::isFlag);
  }

  private static final class Parser {
    private final List<String> paragraphs = new ArrayList<>();
    private final List<Section> sections = new ArrayList<>();
    private final StringBuilder paragraph = new StringBuilder();

    void read(String line) {
      if (line.isBlank()) {
        endParagraph();
      } else if (line.startsWith("  ")) {
        endParagraph();
        readIndented(line);
      } else if (line.endsWith(":")) {
        endParagraph();
        sections.add(new Section(line.substring(0, line.length() - 1), new ArrayList<>()));
      } else {
        paragraph.append(paragraph.isEmpty() ? "" : " ").append(line);
      }
    }

    private void readIndented(String line) {
      if (sections.isEmpty()) {
        sections.add(new Section("", new ArrayList<>()));
      }
      List<HelpEntry> entries = sections.getLast().entries();
      int indent = line.length() - line.stripLeading().length();
      Matcher matcher = ENTRY.matcher(line);
      if (indent > ENTRY_INDENT_MAX || !matcher.matches()) {
        entries.set(entries.size() - 1, entries.getLast().withMore(line.strip()));
        return;
      }
      HelpEntry entry = HelpEntry.of(matcher.group(1));
      entries.add(matcher.group(2) == null ? entry : entry.withMore(matcher.group(2)));
    }

    void endParagraph() {
      if (!paragraph.isEmpty()) {
        paragraphs.add(paragraph.toString());
        paragraph.setLength(0);
      }
    }
  }
}
