package dev.wisent.tools.dump;

import com.mongodb.ReadPreference;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Queries;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The flags of {@code wisent dump}, after checking.
 *
 * @param uri a connection string that is not in a flag, or null
 * @param archive the archive, {@code -} for standard output; null for a directory
 * @param readPreference null for that of the connection string
 */
record DumpSettings(
    String uri,
    Optional<String> database,
    Optional<String> collection,
    Optional<BsonDocument> query,
    String out,
    String archive,
    boolean gzip,
    boolean oplog,
    boolean usersAndRoles,
    boolean viewsAsCollections,
    int parallel,
    List<String> excluded,
    List<String> excludedPrefixes,
    ReadPreference readPreference) {
  private static final int PARALLEL_DEFAULT = 4;
  private static final int PARALLEL_MAX = 256;

  static FlagTable flags() {
    var table =
        new FlagTable(
            "dump",
            """
            Usage: wisent dump [FLAGS] [URI]

            Writes databases into a directory or an archive, as mongodump does; wisent restore and
            mongorestore read them. From a replica set or through a router it is one state, at one
            cluster time, while writes go on; a single server without --replSet has no such states.
            """);
    ConnectionFlags.add(table);
    ConnectionFlags.namespace(table, "What is dumped (default: all but local and config)");
    return table
        .group(
            "What is dumped (default: all but local and config)",
            List.of(
                FlagSpec.value("query", "JSON", "only these documents of --collection").letter('q'),
                FlagSpec.value("queryFile", "FILE", "the same from a file"),
                FlagSpec.list("excludeCollection", "NAME", "not this one of --db; may be repeated"),
                FlagSpec.list(
                    "excludeCollectionsWithPrefix", "PREFIX", "not these; may be repeated"),
                FlagSpec.on("viewsAsCollections", "the documents of views, and no collections"),
                FlagSpec.on("dumpDbUsersAndRoles", "the users and roles of --db too"),
                FlagSpec.on(
                    "oplog",
                    "of a replica set: no snapshot, but the oplog of the time of the dump, for"
                        + " --oplogReplay"),
                FlagSpec.value(
                    "readPreference", "MODE|JSON", "such as secondary (default: primary)"),
                FlagSpec.on("forceTableScan", "")))
        .group(
            "Where to",
            List.of(
                FlagSpec.value(
                        "out", "DIRECTORY", "(default: dump); - for one collection to the output")
                    .letter('o'),
                FlagSpec.optional("archive", "FILE", "one file instead, without a name the output"),
                FlagSpec.on("gzip", "compress the files or the archive"),
                FlagSpec.value("numParallelCollections", "N", "at a time (default: 4)")
                    .letter('j')))
        .refuse("repair", "damaged data is found by validate")
        .refuse("numThreads", "see --numParallelCollections")
        .refuse("dbpath", "tools read from servers, not from files");
  }

  static DumpSettings parse(Flags flags) throws ToolException {
    String uri = null;
    for (String each : flags.positional()) {
      if (uri != null || !each.startsWith("mongodb")) {
        throw ToolException.badOption("'" + each + "' is no flag and no connection string");
      }
      uri = each;
    }
    flags.exclude("query", "queryFile");
    flags.exclude("archive", "out");
    flags.exclude("oplog", "db", "collection", "query", "queryFile", "dumpDbUsersAndRoles");
    flags.exclude("dumpDbUsersAndRoles", "collection");
    flags.exclude("viewsAsCollections", "oplog");
    flags.need("collection", "db");
    flags.need("query", "collection");
    flags.need("queryFile", "collection");
    flags.need("dumpDbUsersAndRoles", "db");
    flags.need("excludeCollection", "db");
    flags.need("excludeCollectionsWithPrefix", "db");
    flags.exclude("collection", "excludeCollection", "excludeCollectionsWithPrefix");
    String out = flags.text("out").orElse("dump");
    if (out.equals("-") && !flags.has("collection")) {
      throw ToolException.badOption("--out - needs --collection; use --archive for more");
    }
    return new DumpSettings(
        uri,
        flags.text("db"),
        flags.text("collection"),
        Queries.filter(flags),
        out,
        flags.text("archive").map(file -> file.isEmpty() ? "-" : file).orElse(null),
        flags.on("gzip"),
        flags.on("oplog"),
        flags.on("dumpDbUsersAndRoles"),
        flags.on("viewsAsCollections"),
        flags.number("numParallelCollections", PARALLEL_DEFAULT, 1, PARALLEL_MAX),
        flags.texts("excludeCollection"),
        flags.texts("excludeCollectionsWithPrefix"),
        Queries.readPreference(flags));
  }

  boolean wants(String name) {
    return collection.map(name::equals).orElse(true)
        && !excluded.contains(name)
        && excludedPrefixes.stream().noneMatch(name::startsWith);
  }
}
