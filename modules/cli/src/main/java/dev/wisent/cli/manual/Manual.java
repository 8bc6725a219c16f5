package dev.wisent.cli.manual;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** All pages and completions, in files. */
public final class Manual {
  private final HelpText program;
  private final List<Command> commands;

  /**
   * @param program the help that lists the commands, in its first section
   * @param commands those that have a help of their own
   */
  public Manual(HelpText program, List<Command> commands) {
    this.program = program;
    this.commands = List.copyOf(commands);
  }

  /**
   * Writes the files below a directory such as {@code /usr/share}.
   *
   * @param date of the version, as in 2026-11-01
   */
  public void write(Path share, String version, String date) throws IOException {
    var man = new ManPage(version, date);
    write(share.resolve("man/man1/wisent.1"), man.of(program, commands));
    for (Command command : commands) {
      write(share.resolve("man/man1/wisent-" + command.name() + ".1"), man.of(command));
    }
    List<HelpEntry> all = program.sections().getFirst().entries();
    write(
        share.resolve("bash-completion/completions/wisent"),
        BashCompletion.of(commands, all.stream().map(HelpEntry::value).toList()));
    write(share.resolve("zsh/site-functions/_wisent"), ZshCompletion.of(commands, all));
    write(share.resolve("fish/vendor_completions.d/wisent.fish"), FishCompletion.of(commands, all));
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
