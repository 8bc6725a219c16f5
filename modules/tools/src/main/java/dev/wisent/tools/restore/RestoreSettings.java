package dev.wisent.tools.restore;

import com.mongodb.WriteConcern;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.WriteConcerns;
import java.util.List;
import java.util.Optional;
import org.bson.BsonTimestamp;

/**
 * The flags of {@code wisent restore}, after checking.
 *
 * @param uri a connection string that is not in a flag, or null
 * @param from the directory or file
 * @param archive the archive, {@code -} for standard input; null for a directory or file
 * @param oplogFile another oplog than that of the dump, or null
 * @param oplogLimit null for all entries
 */
record RestoreSettings(
    String uri,
    Optional<String> database,
    Optional<String> collection,
    String from,
    String archive,
    boolean gzip,
    NamespaceMapping mapping,
    boolean drop,
    boolean dryRun,
    boolean objcheck,
    boolean indexes,
    boolean options,
    boolean keepIndexVersion,
    boolean ordered,
    boolean stopOnError,
    boolean bypassValidation,
    boolean usersAndRoles,
    boolean oplogReplay,
    String oplogFile,
    BsonTimestamp oplogLimit,
    int parallel,
    int insertionWorkers,
    WriteConcern writeConcern) {
  private static final int PARALLEL_DEFAULT = 4;
  private static final int THREADS_MAX = 256;

  static FlagTable flags() {
    var table =
        new FlagTable(
            "restore",
            """
            Usage: wisent restore [FLAGS] [DIRECTORY|FILE] [URI]

            Brings a dump of wisent dump or mongodump into a server, a replica set or a cluster of
            any shape. Documents are added to collections that exist. A restore that was
            interrupted says what is missing; it may be repeated: documents that are there already,
            and are the same, are no failure.
            """);
    ConnectionFlags.add(table);
    ConnectionFlags.namespace(table, "What is restored (default: all)");
    return table
        .group(
            "What is restored (default: all)",
            List.of(
                FlagSpec.list("nsInclude", "PATTERN", "only these, as in shop.*; may be repeated"),
                FlagSpec.list("nsExclude", "PATTERN", "not these; may be repeated"),
                FlagSpec.list("excludeCollection", "NAME", "not this one of --db; may be repeated"),
                FlagSpec.list(
                    "excludeCollectionsWithPrefix", "PREFIX", "not these; may be repeated"),
                FlagSpec.list("nsFrom", "PATTERN", "rename, as in shop.* or $a$.orders_$b$"),
                FlagSpec.list("nsTo", "PATTERN", "to this, as in test.* or $a$_$b$.orders"),
                FlagSpec.on("restoreDbUsersAndRoles", "the users and roles of --db too"),
                FlagSpec.on("oplogReplay", "then repeat the oplog of the dump"),
                FlagSpec.value("oplogFile", "FILE", "or this one"),
                FlagSpec.value("oplogLimit", "SECONDS[:N]", "only entries before this time")))
        .group(
            "Where from",
            List.of(
                FlagSpec.value("dir", "DIRECTORY", "(default: dump); - for one collection"),
                FlagSpec.optional("archive", "FILE", "an archive, without a name the input"),
                FlagSpec.on("gzip", "the archive is compressed; files say so by their names"),
                FlagSpec.on("objcheck", "check all documents before they are sent")))
        .group(
            "How",
            List.of(
                FlagSpec.on("drop", "drop each collection of the dump first"),
                FlagSpec.on("dryRun", "say what would be restored, and change nothing"),
                FlagSpec.value(
                    "writeConcern", "CONCERN", "such as 1 or {w: 2} (default: majority)"),
                FlagSpec.on("noIndexRestore", "no indexes"),
                FlagSpec.on("noOptionsRestore", "no options of collections"),
                FlagSpec.on("keepIndexVersion", "keep the version of indexes"),
                FlagSpec.on(
                    "maintainInsertionOrder", "in the order of the dump, up to the first failure"),
                FlagSpec.on("stopOnError", "end with the first document that fails"),
                FlagSpec.on("bypassDocumentValidation", "also what validators would refuse"),
                FlagSpec.value("numParallelCollections", "N", "at a time (default: 4)").letter('j'),
                FlagSpec.value(
                    "numInsertionWorkersPerCollection", "N", "inserts at a time (default: 1)")))
        .refuse("preserveUUID", "collections get new UUIDs")
        .refuse("convertLegacyIndexes", "indexes with unknown options are refused by the server")
        .refuse("fixDottedHashIndex", "a hashed index of a path with dots is one already")
        .refuse("tempUsersColl", "the collection is called tempusers")
        .refuse("tempRolesColl", "the collection is called temproles")
        .refuse("fixHashedIndexes", "a hashed index of a path with dots is one already")
        .refuse("numThreads", "see --numParallelCollections")
        .refuse("batchSize", "it is chosen by size")
        .refuse("dbpath", "tools write to servers, not to files");
  }

  static RestoreSettings parse(Flags flags) throws ToolException {
    String uri = null;
    String from = flags.text("dir").orElse(null);
    for (String each : flags.positional()) {
      if (each.startsWith("mongodb://") || each.startsWith("mongodb+srv://")) {
        uri = each;
      } else if (from == null) {
        from = each;
      } else {
        throw ToolException.badOption("one directory or file, and not also '" + each + "'");
      }
    }
    if (flags.has("archive") && from != null) {
      throw ToolException.badOption("--archive, and no directory or file");
    }
    flags.need("collection", "db");
    flags.need("restoreDbUsersAndRoles", "db");
    flags.exclude("restoreDbUsersAndRoles", "collection");
    flags.need("oplogLimit", "oplogReplay");
    flags.need("oplogFile", "oplogReplay");
    flags.exclude("oplogReplay", "db", "collection");
    NamespaceMapping mapping = NamespaceMapping.of(flags);
    if (flags.on("oplogReplay") && !mapping.isEverything()) {
      throw ToolException.badOption(
          "--oplogReplay repeats the whole oplog, and so needs the whole dump under its names");
    }
    if ("-".equals(from) && !flags.has("collection")) {
      throw ToolException.badOption("standard input needs --db and --collection, or --archive");
    }
    boolean stopOnError = flags.on("stopOnError");
    boolean ordered = flags.on("maintainInsertionOrder");
    return new RestoreSettings(
        uri,
        flags.text("db"),
        flags.text("collection"),
        from == null ? "dump" : from,
        flags.text("archive").map(file -> file.isEmpty() ? "-" : file).orElse(null),
        flags.on("gzip"),
        mapping,
        flags.on("drop"),
        flags.on("dryRun"),
        flags.on("objcheck"),
        !flags.on("noIndexRestore"),
        !flags.on("noOptionsRestore"),
        flags.on("keepIndexVersion"),
        ordered,
        stopOnError || ordered,
        flags.on("bypassDocumentValidation"),
        flags.on("restoreDbUsersAndRoles"),
        flags.on("oplogReplay"),
        flags.text("oplogFile").orElse(null),
        flags.has("oplogLimit") ? limit(flags.text("oplogLimit").get()) : null,
        flags.number("numParallelCollections", PARALLEL_DEFAULT, 1, THREADS_MAX),
        ordered ? 1 : flags.number("numInsertionWorkersPerCollection", 1, 1, THREADS_MAX),
        flags.has("writeConcern") ? WriteConcerns.parse(flags.text("writeConcern").get()) : null);
  }

  private static BsonTimestamp limit(String text) throws ToolException {
    String[] parts = text.split(":", 2);
    try {
      int increment = parts.length == 2 && !parts[1].isEmpty() ? Integer.parseInt(parts[1]) : 0;
      return new BsonTimestamp(Integer.parseUnsignedInt(parts[0]), increment);
    } catch (NumberFormatException e) {
      throw ToolException.badOption("--oplogLimit is SECONDS or SECONDS:N, not '" + text + "'");
    }
  }

  /** Whether a collection of the dump belongs to what the flags ask for. */
  boolean wants(DumpedCollection dumped) {
    boolean ofDatabase = database.map(dumped.database()::equals).orElse(true);
    boolean ofCollection = archive == null || collection.map(dumped.name()::equals).orElse(true);
    return ofDatabase && ofCollection && mapping.wants(dumped.database(), dumped.name());
  }
}
