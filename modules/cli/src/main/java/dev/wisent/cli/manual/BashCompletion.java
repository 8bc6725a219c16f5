package dev.wisent.cli.manual;

import java.util.List;
import java.util.stream.Collectors;

/** A file for bash-completion; it needs bash alone. */
final class BashCompletion {
  private BashCompletion() {}

  static String of(List<Command> commands, List<String> allNames) {
    var text =
        new StringBuilder(
            """
            # Completion of wisent for bash.
            _wisent() {
              local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
              COMPREPLY=()
              if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W "%s" -- "$word")
                return
              fi
              local flags=
              case ${COMP_WORDS[1]} in
            """
                .formatted(String.join(" ", allNames)));
    commands.forEach(command -> appendCommand(command, text));
    return text.append(
            """
              esac
              if [[ $word == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$flags" -- "$word")
              else
                mapfile -t COMPREPLY < <(compgen -f -- "$word")
              fi
            }
            complete -o filenames -o bashdefault -F _wisent wisent
            """)
        .toString();
  }

  private static void appendCommand(Command command, StringBuilder text) {
    List<HelpEntry> flags = command.help().flags();
    text.append("    ").append(command.name()).append(")\n");
    text.append("      flags=\"").append(names(flags, " ")).append("\"\n");
    text.append("      case $previous in\n");
    for (HelpEntry flag : flags) {
      if (flag.takesWord()) {
        text.append("        ").append(names(List.of(flag), "|")).append(") ");
        text.append(values(flag)).append("return ;;\n");
      }
    }
    text.append("      esac ;;\n");
  }

  /** What completes a value; nothing where only the user knows. */
  private static String values(HelpEntry flag) {
    if (!flag.choices().isEmpty()) {
      return "mapfile -t COMPREPLY < <(compgen -W \"%s\" -- \"$word\"); "
          .formatted(String.join(" ", flag.choices()));
    }
    if (flag.isDirectory()) {
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); ";
    }
    return flag.isFile() ? "mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); " : "";
  }

  private static String names(List<HelpEntry> flags, String separator) {
    return flags.stream()
        .flatMap(flag -> flag.names().stream())
        .collect(Collectors.joining(separator));
  }
}
