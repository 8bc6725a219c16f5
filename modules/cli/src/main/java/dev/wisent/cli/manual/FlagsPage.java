package dev.wisent.cli.manual;

import dev.wisent.cli.manual.HelpText.Section;
import java.util.List;
import java.util.Locale;

/** The helps of all commands as one document in Markdown. */
public final class FlagsPage {
  private FlagsPage() {}

  /**
   * @param head what comes before the first command
   */
  public static String of(String head, List<Command> commands) {
    var page = new StringBuilder(head);
    for (Command command : commands) {
      page.append("\n## wisent ").append(command.name()).append("\n\n");
      if (command.help().paragraphs().isEmpty()) {
        page.append(escaped(sentence(command.purpose()))).append("\n\n");
      }
      page.append("```\n").append(command.help().synopsis()).append("\n```\n");
      for (String paragraph : command.help().paragraphs()) {
        page.append('\n').append(escaped(paragraph)).append('\n');
      }
      command.help().sections().forEach(section -> appendSection(section, page));
    }
    return page.toString();
  }

  private static String sentence(String purpose) {
    return purpose.substring(0, 1).toUpperCase(Locale.ROOT) + purpose.substring(1) + ".";
  }

  private static void appendSection(Section section, StringBuilder page) {
    if (!section.title().isEmpty()) {
      page.append("\n**").append(escaped(section.title())).append("**\n");
    }
    page.append("\n| | |\n|---|---|\n");
    for (HelpEntry entry : section.entries()) {
      page.append("| `").append(term(entry).replace("|", "\\|")).append("` | ");
      page.append(escaped(entry.help())).append(" |\n");
    }
  }

  private static String term(HelpEntry entry) {
    String names = String.join(", ", entry.names());
    if (entry.value().isEmpty()) {
      return names;
    }
    return entry.optional()
        ? names + "[=" + entry.value() + "]"
        : (names + " " + entry.value()).strip();
  }

  private static String escaped(String text) {
    return text.replaceAll("([\\\\|<*_`\\[])", "\\\\$1");
  }
}
