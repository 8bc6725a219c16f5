package dev.wisent.cluster.router;

import java.util.Map;
import java.util.Set;

/** How a router serves the commands that all roles have. */
final class Routes {
  /** What a command is about, which decides where it goes. */
  enum Route {
    /** This router answers it. */
    LOCAL,
    /** A collection, in the command's own field. */
    COLLECTION,
    /** A database. */
    DATABASE
  }

  private static final Set<String> OF_COLLECTIONS =
      Set.of(
          "find",
          "aggregate",
          "count",
          "distinct",
          "insert",
          "update",
          "delete",
          "findAndModify",
          "mapReduce",
          "create",
          "createIndexes",
          "drop",
          "dropIndexes",
          "collMod",
          "listIndexes",
          "collStats",
          "dataSize",
          "validate",
          "planCacheClear",
          "planCacheSetFilter",
          "planCacheListFilters",
          "planCacheClearFilters",
          "convertToCapped",
          "cloneCollectionAsCapped",
          "reIndex",
          "compact",
          "explain");

  private static final Set<String> OF_DATABASES = Set.of("listCollections");

  /** Those that make a database which is not there. */
  private static final Set<String> CREATING =
      Set.of("insert", "update", "findAndModify", "create", "createIndexes");

  /** What the config servers do for a sharded collection, by the client's command. */
  private static final Map<String, String> COORDINATED =
      Map.of(
          "createIndexes", "_configsvrCreateIndexes",
          "dropIndexes", "_configsvrDropIndexes",
          "collMod", "_configsvrCollMod",
          "drop", "_configsvrDrop");

  /** Definitions that have no second effect where an election hides what came of the first. */
  private static final Set<String> REPEATED_DEFINITIONS =
      Set.of("create", "createIndexes", "drop", "dropIndexes", "collMod");

  private static final Set<String> BATCHES = Set.of("insert", "update", "delete", "findAndModify");

  private static final Set<String> READS =
      Set.of("find", "aggregate", "count", "distinct", "mapReduce", "explain");

  private Routes() {}

  static Route of(String command) {
    if (OF_COLLECTIONS.contains(command)) {
      return Route.COLLECTION;
    }
    return OF_DATABASES.contains(command) ? Route.DATABASE : Route.LOCAL;
  }

  static boolean createsDatabase(String command) {
    return CREATING.contains(command);
  }

  /** Null for a command that the config servers have no part in. */
  static String coordinated(String command) {
    return COORDINATED.get(command);
  }

  static boolean isRepeatedDefinition(String command) {
    return REPEATED_DEFINITIONS.contains(command);
  }

  /** Whether the router itself spreads it over shards. */
  static boolean isSpread(String command) {
    return BATCHES.contains(command) || READS.contains(command);
  }

  static boolean isRead(String command) {
    return READS.contains(command);
  }
}
