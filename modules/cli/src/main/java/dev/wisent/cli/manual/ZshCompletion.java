package dev.wisent.cli.manual;

import java.util.List;

/** A function for zsh's completion system. */
final class ZshCompletion {
  private ZshCompletion() {}

  /**
   * @param all the commands, also those without a help of their own
   */
  static String of(List<Command> commands, List<HelpEntry> all) {
    var text =
        new StringBuilder(
            """
            #compdef wisent
            # Completion of wisent for zsh.
            local -a commands
            commands=(
            """);
    all.forEach(
        each ->
            text.append("  ")
                .append(quoted(each.value() + ":" + each.help().replace(":", "\\:")))
                .append('\n'));
    text.append(
        """
        )
        if ((CURRENT == 2)); then
          _describe command commands
          return
        fi
        local command=$words[2]
        shift words
        ((CURRENT--))
        case $command in
        """);
    commands.forEach(command -> appendCommand(command, text));
    return text.append("esac\n").toString();
  }

  private static void appendCommand(Command command, StringBuilder text) {
    text.append("  ").append(command.name()).append(")\n    _arguments -S");
    for (HelpEntry flag : command.help().flags()) {
      for (String name : flag.names()) {
        text.append(" \\\n      ").append(quoted(specification(name, flag)));
      }
    }
    text.append(" \\\n      '*:file:_files' ;;\n");
  }

  private static String specification(String name, HelpEntry flag) {
    String help = flag.help().replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]");
    String of = "*" + name + (flag.optional() ? "=-" : "") + "[" + help + "]";
    if (flag.value().isEmpty()) {
      return of;
    }
    return of
        + (flag.optional() ? "::" : ":")
        + flag.value().replace(":", "\\:")
        + ":"
        + action(flag);
  }

  /** What completes a value. */
  private static String action(HelpEntry flag) {
    if (!flag.choices().isEmpty()) {
      return "(" + String.join(" ", flag.choices()) + ")";
    }
    if (flag.isDirectory()) {
      return "_files -/";
    }
    return flag.isFile() ? "_files" : " ";
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
