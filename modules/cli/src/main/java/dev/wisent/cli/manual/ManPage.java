package dev.wisent.cli.manual;

import dev.wisent.cli.manual.HelpText.Section;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Pages for {@code man}, in the macros that it has had since 1979. */
final class ManPage {
  private final String version;
  private final String date;

  /**
   * @param date of the version, as in 2026-11-01
   */
  ManPage(String version, String date) {
    this.version = version;
    this.date = date;
  }

  /** The page of a command. */
  String of(Command command) {
    StringBuilder page = begin("wisent-" + command.name(), command.purpose());
    appendSynopsis(command.help().synopsis(), page);
    appendHelp(command.help(), page);
    page.append(".SH SEE ALSO\n.BR wisent (1)\n");
    return page.toString();
  }

  /** The page of the program, with all its commands. */
  String of(HelpText help, List<Command> commands) {
    StringBuilder page = begin("wisent", "a document database that speaks MongoDB's wire protocol");
    appendSynopsis(help.synopsis(), page);
    appendHelp(help, page);
    page.append(".SH SEE ALSO\n");
    page.append(
        commands.stream()
            .map(command -> ".BR wisent\\-" + command.name() + " (1)")
            .collect(Collectors.joining(",\n", "", "\n")));
    return page.toString();
  }

  private StringBuilder begin(String name, String purpose) {
    return new StringBuilder(
        """
        .TH %s 1 "%s" "wisent %s" "Wisent"
        .nh
        .SH NAME
        %s \\- %s
        """
            .formatted(
                escaped(name.toUpperCase(Locale.ROOT)),
                date,
                version,
                escaped(name),
                escaped(purpose)));
  }

  private static void appendSynopsis(String synopsis, StringBuilder page) {
    page.append(".SH SYNOPSIS\n").append(line(synopsis));
  }

  private static void appendHelp(HelpText help, StringBuilder page) {
    if (!help.paragraphs().isEmpty()) {
      page.append(".SH DESCRIPTION\n");
      page.append(
          help.paragraphs().stream().map(ManPage::line).collect(Collectors.joining(".PP\n")));
    }
    for (Section section : help.sections()) {
      page.append(".SH ").append(escaped(title(section))).append('\n');
      section.entries().forEach(entry -> appendEntry(entry, page));
    }
  }

  private static String title(Section section) {
    return section.title().isEmpty() ? "OPTIONS" : section.title().toUpperCase(Locale.ROOT);
  }

  private static void appendEntry(HelpEntry entry, StringBuilder page) {
    String names =
        entry.names().stream()
            .map(name -> "\\fB" + escaped(name) + "\\fR")
            .collect(Collectors.joining(", "));
    String value = entry.value().isEmpty() ? "" : "\\fI" + escaped(entry.value()) + "\\fR";
    String term =
        entry.optional()
            ? names + "[=" + value + "]"
            : names + (names.isEmpty() || value.isEmpty() ? "" : " ") + value;
    page.append(".TP\n").append(term).append('\n').append(line(entry.help()));
  }

  /** A line of text; a dot or an apostrophe at its begin would be a macro. */
  private static String line(String text) {
    return (text.startsWith(".") || text.startsWith("'") ? "\\&" : "") + escaped(text) + "\n";
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }
}
