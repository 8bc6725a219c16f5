package dev.wisent.tools.backup;

import com.mongodb.ReadPreference;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Queries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The flags of {@code wisent backup}, after checking.
 *
 * @param directory of the backups
 * @param backup which one; empty for the newest
 * @param shard which part of a cluster
 * @param dbPath where to restore to; null for other commands
 * @param keep how many backups stay; 0 for other commands
 * @param uri a connection string that is not in a flag, or null
 * @param readPreference null for that of the connection string
 */
record BackupSettings(
    Command command,
    Path directory,
    Optional<String> backup,
    Optional<String> shard,
    Path dbPath,
    int keep,
    String uri,
    ReadPreference readPreference) {
  /** What to do. */
  enum Command {
    MAKE,
    LIST,
    VERIFY,
    RESTORE,
    PRUNE
  }

  private static final Map<String, Set<Command>> OF_COMMANDS =
      Map.of(
          "dbpath", EnumSet.of(Command.RESTORE),
          "shard", EnumSet.of(Command.RESTORE),
          "keep", EnumSet.of(Command.PRUNE),
          "backup", EnumSet.of(Command.RESTORE, Command.VERIFY));

  private static final int KEEP_MAX = 1_000_000;
  private static final String URI = "mongodb(\\+srv)?://.*";

  static FlagTable flags() {
    var table =
        new FlagTable(
            "backup",
            """
            Usage: wisent backup [FLAGS] [COMMAND] [DIRECTORY] [URI]

            Copies a server as files, while it is used. A directory has many backups; a file that it
            has already is not fetched again. A restored backup is a data directory, with which
            wisent server starts. Backups are of Wisent only; wisent dump is for other servers, and
            for single databases. Without a command, --out makes a backup; through a router that is
            one of all shards, at one time.

            Commands:
              list DIRECTORY       the backups, the oldest first
              verify DIRECTORY     read all files and compare them with what was backed up
              restore DIRECTORY    make a data directory, which --dbpath names
              prune DIRECTORY      remove old backups, and files that no other backup has
            """);
    ConnectionFlags.add(table);
    return table
        .group(
            "A backup",
            List.of(
                FlagSpec.value("out", "DIRECTORY", "of the backups; made if it is not there")
                    .letter('o'),
                FlagSpec.value(
                    "readPreference",
                    "MODE|JSON",
                    "which member of a set (default: secondaryPreferred)")))
        .group(
            "What is there",
            List.of(
                FlagSpec.value("backup", "ID", "which one, as list has it (default: the newest)"),
                FlagSpec.value("shard", "NAME", "of restore: which part of a cluster's backup"),
                FlagSpec.value("dbpath", "DIRECTORY", "of restore: empty, or not there"),
                FlagSpec.value("keep", "N", "of prune: how many of the newest stay")))
        .refuse("gzip", "the files are compressed already")
        .refuse("archive", "a backup is a directory; see wisent dump");
  }

  static BackupSettings parse(Flags flags) throws ToolException {
    List<String> words = new ArrayList<>(flags.positional());
    String uri = !words.isEmpty() && words.getLast().matches(URI) ? words.removeLast() : null;
    Command command = words.isEmpty() ? Command.MAKE : command(words.removeFirst());
    refuseOthers(flags, command);
    Path directory;
    if (command == Command.MAKE) {
      directory = Path.of(need(flags, "out", "--out DIRECTORY is needed"));
    } else if (words.isEmpty() || uri != null) {
      throw ToolException.badOption(name(command) + " takes the directory of the backups");
    } else {
      directory = Path.of(words.removeFirst());
    }
    if (!words.isEmpty()) {
      throw ToolException.badOption("'" + words.getFirst() + "' is too much; see --help");
    }
    if (command == Command.PRUNE) {
      need(flags, "keep", "prune needs --keep N");
    }
    return new BackupSettings(
        command,
        directory,
        flags.text("backup"),
        flags.text("shard"),
        command == Command.RESTORE
            ? Path.of(need(flags, "dbpath", "restore needs --dbpath DIRECTORY"))
            : null,
        flags.number("keep", 0, 1, KEEP_MAX),
        uri,
        Queries.readPreference(flags));
  }

  private static Command command(String word) throws ToolException {
    for (Command each : Command.values()) {
      if (each != Command.MAKE && name(each).equals(word)) {
        return each;
      }
    }
    throw ToolException.badOption(
        "there is no command '" + word + "': list, verify, restore or prune, or --out alone");
  }

  private static String name(Command command) {
    return command.name().toLowerCase(Locale.ROOT);
  }

  /** Flags that the command would not look at. */
  private static void refuseOthers(Flags flags, Command command) throws ToolException {
    for (String name : flags.names()) {
      Set<Command> known = OF_COMMANDS.get(name);
      // All that are about nothing else are about a server.
      boolean looksAt =
          ConnectionFlags.isGeneral(name)
              || (known == null ? command == Command.MAKE : known.contains(command));
      if (!looksAt) {
        throw ToolException.badOption(
            "--"
                + name
                + (command == Command.MAKE ? " needs a command" : " is not for " + name(command)));
      }
    }
  }

  private static String need(Flags flags, String name, String message) throws ToolException {
    return flags.text(name).orElseThrow(() -> ToolException.badOption(message));
  }
}
