package dev.wisent.cli.manual;

import java.util.List;

/** A file for fish. */
final class FishCompletion {
  private FishCompletion() {}

  /**
   * @param all the commands, also those without a help of their own
   */
  static String of(List<Command> commands, List<HelpEntry> all) {
    var text = new StringBuilder("# Completion of wisent for fish.\n");
    for (HelpEntry each : all) {
      text.append("complete -c wisent -f -n __fish_use_subcommand -a ")
          .append(each.value())
          .append(" -d ")
          .append(quoted(each.help()))
          .append('\n');
    }
    for (Command command : commands) {
      command.help().flags().forEach(flag -> appendFlag(command, flag, text));
    }
    return text.toString();
  }

  private static void appendFlag(Command command, HelpEntry flag, StringBuilder text) {
    text.append("complete -c wisent -n '__fish_seen_subcommand_from ")
        .append(command.name())
        .append('\'');
    for (String name : flag.names()) {
      text.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    }
    if (flag.takesWord()) {
      text.append(flag.isFile() ? " -r -F" : " -x");
      if (!flag.choices().isEmpty()) {
        text.append(" -a ").append(quoted(String.join(" ", flag.choices())));
      } else if (flag.isDirectory()) {
        text.append(" -a '(__fish_complete_directories)'");
      }
    }
    text.append(" -d ").append(quoted(flag.help())).append('\n');
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
