package dev.wisent.tools.migrate;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.wisent.tools.connection.Deployment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * A database of the target in which definitions and queries are tried: what the target supports, it
 * knows itself. It has no documents, and is dropped at the end.
 */
final class TrialDatabase implements AutoCloseable {
  static final String NAME = "wisent_migrate_trial";

  private static final String COLLECTION = "trial";

  /** Queries fail in these ways because there is nothing in this database. */
  private static final Set<Integer> OF_EMPTINESS =
      Set.of(
          26, // NamespaceNotFound
          27, // IndexNotFound
          73, // InvalidNamespace
          291); // NoQueryExecutionPlans

  private final MongoDatabase database;
  private final Map<String, Optional<String>> known = new HashMap<>();

  TrialDatabase(Deployment target) {
    this.database = target.database(NAME);
    database.drop();
  }

  /** Why a collection or view cannot be created; empty if it can. */
  Optional<String> creation(BsonDocument options) {
    if (options.isEmpty()) {
      return Optional.empty();
    }
    return known.computeIfAbsent(
        "options " + MovedCollection.text(options),
        text -> {
          Optional<String> error = create(options);
          database.getCollection(COLLECTION).drop();
          return error;
        });
  }

  private Optional<String> create(BsonDocument options) {
    var command = new BsonDocument("create", new BsonString(COLLECTION));
    options.forEach(command::append);
    return error(command);
  }

  /** Why an index of a collection cannot be created; empty if it can. */
  Optional<String> index(BsonDocument options, BsonDocument index) {
    return known.computeIfAbsent(
        "index " + MovedCollection.text(options) + MovedCollection.text(index),
        text -> {
          create(options);
          Optional<String> error =
              error(
                  new BsonDocument("createIndexes", new BsonString(COLLECTION))
                      .append("indexes", new BsonArray(List.of(index))));
          database.getCollection(COLLECTION).drop();
          return error;
        });
  }

  /** Why a command on the collection {@code trial} fails, by its plan. */
  Optional<String> plan(BsonDocument command) {
    return error(
        new BsonDocument("explain", command).append("verbosity", new BsonString("queryPlanner")));
  }

  private Optional<String> error(BsonDocument command) {
    try {
      database.runCommand(command);
      return Optional.empty();
    } catch (MongoCommandException e) {
      return OF_EMPTINESS.contains(e.getErrorCode())
          ? Optional.empty()
          : Optional.of(
              "%s (%s, %d)".formatted(e.getErrorMessage(), e.getErrorCodeName(), e.getErrorCode()));
    }
  }

  static BsonString collection() {
    return new BsonString(COLLECTION);
  }

  @Override
  public void close() {
    database.drop();
  }
}
