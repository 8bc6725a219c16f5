package dev.wisent.database.changestream;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.Namespace;
import dev.wisent.pipeline.changestream.ChangeStreamStage;

/**
 * Whose changes a stream tells of.
 *
 * @param database null for all
 * @param collection null for all of the database
 * @param system whether changes of collections count that the server keeps for itself
 * @param merged whether a router merges the stream with those of other shards
 */
record StreamScope(String database, String collection, boolean system, boolean merged) {
  /** The name that pipelines have that are not over a collection. */
  private static final String NO_COLLECTION = "$cmd.aggregate";

  private static final String SYSTEM_VIEWS = "system.views";

  StreamScope(String database, String collection, boolean system) {
    this(database, collection, system, false);
  }

  static StreamScope of(Namespace namespace, ChangeStreamStage stage) {
    boolean ofDatabase = namespace.collection().equals(NO_COLLECTION);
    boolean onAdmin = namespace.database().equals("admin");
    if (stage.allChangesForCluster() && !(onAdmin && ofDatabase)) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "A $changeStream with 'allChangesForCluster:true' may only be opened on the 'admin'"
              + " database, and with no collection name; found "
              + namespace);
    }
    // A router follows the list of shards.
    if (namespace.isInternal() && !stage.allChangesForCluster() && !stage.merged()) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$changeStream may not be opened on the internal " + namespace.database() + " database");
    }
    if (!ofDatabase && namespace.isSystem()) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$changeStream may not be opened on the internal " + namespace + " collection");
    }
    return new StreamScope(
        stage.allChangesForCluster() ? null : namespace.database(),
        ofDatabase ? null : namespace.collection(),
        stage.showSystemEvents(),
        stage.merged());
  }

  boolean isCollection() {
    return collection != null;
  }

  /** Whether documents of a collection count. */
  boolean covers(Namespace namespace) {
    if (!coversDatabase(namespace)) {
      return false;
    }
    String name = namespace.collection();
    return collection == null
        ? !name.startsWith("$") && (system || !namespace.isSystem())
        : name.equals(collection);
  }

  /** Whether changes of a database count. */
  boolean coversDatabase(Namespace namespace) {
    return database == null ? !namespace.isInternal() : namespace.database().equals(database);
  }

  /** Whether it holds the definitions of views that count. */
  boolean coversViews(Namespace namespace) {
    return collection == null
        && namespace.collection().equals(SYSTEM_VIEWS)
        && coversDatabase(namespace);
  }

  /** Whether an event of this kind ends the stream. */
  boolean isEndedBy(String operationType) {
    return switch (operationType) {
      case "drop", "rename" -> isCollection();
      case "dropDatabase" -> database != null;
      default -> false;
    };
  }
}
