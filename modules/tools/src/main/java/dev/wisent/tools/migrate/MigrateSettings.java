package dev.wisent.tools.migrate;

import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.restore.NamespacePattern;
import java.util.List;
import java.util.Set;

/**
 * The flags of {@code wisent migrate}, after checking.
 *
 * @param source the connection string of the deployment that is moved; empty with {@code --finish}
 * @param include as it was typed; empty for all
 * @param exclude as it was typed
 * @param hashes whether the end compares documents, not only their numbers
 */
record MigrateSettings(
    String source,
    List<String> include,
    List<String> exclude,
    Mode mode,
    boolean follow,
    boolean finishWhenCaughtUp,
    boolean users,
    boolean drop,
    boolean restart,
    boolean hashes,
    int parallel,
    int insertionWorkers) {
  private static final int PARALLEL_DEFAULT = 4;
  private static final int INSERTION_DEFAULT = 2;
  private static final int THREADS_MAX = 256;

  /** Databases that servers keep for themselves, and the tool's own. */
  private static final Set<String> INTERNAL =
      Set.of("admin", "local", "config", MigrationState.DATABASE, TrialDatabase.NAME);

  /** What the tool is to do. */
  enum Mode {
    MOVE,
    CHECK,
    FINISH
  }

  static FlagTable flags() {
    var table =
        new FlagTable(
            "migrate",
            """
            Usage: wisent migrate [FLAGS] [SOURCE]

            Moves a deployment of MongoDB or Wisent, by its connection string, to that of the
            connection flags: checks that everything can be moved, copies it, and follows the
            changes until it is told to finish, by Enter or by another wisent migrate --finish. Then
            it applies the rest and compares both sides. Killed at any time, the same command goes on
            where it was.
            """);
    ConnectionFlags.add(table);
    return table
        .group(
            "Source",
            List.of(
                FlagSpec.value(
                    "source", "URI", "the same as SOURCE; may stand in the file of --config")))
        .group(
            "What is moved (default: all but admin, config and local)",
            List.of(
                FlagSpec.list("nsInclude", "PATTERN", "only these, as in shop.*; may be repeated"),
                FlagSpec.list("nsExclude", "PATTERN", "not these; may be repeated"),
                FlagSpec.on("noUsers", "no users and roles")))
        .group(
            "How",
            List.of(
                FlagSpec.on("check", "only say what cannot be moved, and change nothing"),
                FlagSpec.on("noFollow", "only copy: for a source that is not written to"),
                FlagSpec.on(
                    "finish",
                    "tell the migrate that is running to finish, once writers have stopped"),
                FlagSpec.on("finishWhenCaughtUp", "finish as soon as there are no more changes"),
                FlagSpec.value(
                    "verify", "full|counts", "what is compared at the end (default: full)"),
                FlagSpec.on("drop", "drop collections of the target that are in the way"),
                FlagSpec.on("restart", "forget an earlier run, and drop what it has copied"),
                FlagSpec.value("numParallelCollections", "N", "at a time (default: 4)").letter('j'),
                FlagSpec.value(
                    "numInsertionWorkersPerCollection", "N", "inserts at a time (default: 2)")))
        .refuse("nsFrom", "collections keep their names; rename them afterwards")
        .refuse("nsTo", "collections keep their names; rename them afterwards")
        .refuse("db", "see --nsInclude 'DATABASE.*'")
        .refuse("collection", "see --nsInclude");
  }

  static MigrateSettings parse(Flags flags) throws ToolException {
    if (flags.positional().size() > 1) {
      throw ToolException.badOption("one source, and not also '" + flags.positional().get(1) + "'");
    }
    String source =
        flags.positional().isEmpty()
            ? flags.text("source").orElse("")
            : flags.positional().getFirst();
    Mode mode = flags.on("check") ? Mode.CHECK : flags.on("finish") ? Mode.FINISH : Mode.MOVE;
    flags.exclude("check", "finish", "finishWhenCaughtUp", "drop", "restart", "verify");
    flags.exclude("finish", "noFollow", "finishWhenCaughtUp", "drop", "restart", "verify");
    // The process that moves them knows.
    flags.exclude("finish", "nsInclude", "nsExclude", "noUsers");
    flags.exclude("noFollow", "finishWhenCaughtUp");
    if (mode == Mode.FINISH && !flags.positional().isEmpty()) {
      throw ToolException.badOption("--finish needs only the target");
    }
    if (mode != Mode.FINISH && !source.startsWith("mongodb")) {
      throw ToolException.badOption(
          source.isEmpty()
              ? "the connection string of the source is missing"
              : "'" + source + "' is no flag and no connection string");
    }
    String verify = flags.text("verify").orElse("full");
    if (!verify.equals("full") && !verify.equals("counts")) {
      throw ToolException.badOption("--verify is full or counts, not '" + verify + "'");
    }
    return new MigrateSettings(
        source,
        flags.texts("nsInclude"),
        flags.texts("nsExclude"),
        mode,
        !flags.on("noFollow"),
        flags.on("finishWhenCaughtUp"),
        !flags.on("noUsers"),
        flags.on("drop"),
        flags.on("restart"),
        verify.equals("full"),
        flags.number("numParallelCollections", PARALLEL_DEFAULT, 1, THREADS_MAX),
        flags.number("numInsertionWorkersPerCollection", INSERTION_DEFAULT, 1, THREADS_MAX));
  }

  static boolean isInternal(String database) {
    return INTERNAL.contains(database);
  }

  /** Whether a collection or view is to be moved, by its name. */
  boolean wants(String database, String name) {
    if (isInternal(database) || name.startsWith("system.")) {
      return false;
    }
    String namespace = database + "." + name;
    return (include.isEmpty() || matches(include, namespace)) && !matches(exclude, namespace);
  }

  private static boolean matches(List<String> patterns, String namespace) {
    return patterns.stream().anyMatch(each -> NamespacePattern.of(each).matches(namespace));
  }
}
