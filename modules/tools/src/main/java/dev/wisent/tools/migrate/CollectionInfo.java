package dev.wisent.tools.migrate;

import com.mongodb.client.MongoDatabase;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.CollectionMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A collection or view as {@code listCollections} has it.
 *
 * @param uuid null for views
 */
record CollectionInfo(
    BsonBinary uuid, String database, String name, String type, BsonDocument options) {

  /** What {@code create} does not take, or what has no meaning any more. */
  private static final Set<String> NOT_CREATED = Set.of("uuid", "autoIndexId", "temp");

  /** All of a deployment that the condition, of database and name, holds for. */
  static List<CollectionInfo> list(Deployment deployment, BiPredicate<String, String> wanted) {
    List<CollectionInfo> found = new ArrayList<>();
    for (String database : deployment.client().listDatabaseNames()) {
      if (!MigrateSettings.isInternal(database)) {
        add(deployment.database(database), new BsonDocument(), wanted, found);
      }
    }
    return found;
  }

  /** Those of a database under a name: one or none. */
  static List<CollectionInfo> named(Deployment deployment, String database, String name) {
    List<CollectionInfo> found = new ArrayList<>();
    add(
        deployment.database(database),
        new BsonDocument("name", new BsonString(name)),
        (any, other) -> true,
        found);
    return found;
  }

  private static void add(
      MongoDatabase database,
      BsonDocument filter,
      BiPredicate<String, String> wanted,
      List<CollectionInfo> found) {
    for (BsonDocument listed : database.listCollections(BsonDocument.class).filter(filter)) {
      String name = listed.getString("name").getValue();
      if (wanted.test(database.getName(), name)) {
        BsonValue uuid = listed.getDocument("info", new BsonDocument()).get("uuid");
        found.add(
            new CollectionInfo(
                uuid == null ? null : uuid.asBinary(),
                database.getName(),
                name,
                listed.getString("type", new BsonString(CollectionMetadata.COLLECTION)).getValue(),
                listed.getDocument("options", new BsonDocument())));
      }
    }
  }

  boolean isView() {
    return type.equals(CollectionMetadata.VIEW);
  }

  boolean isTimeseries() {
    return type.equals(CollectionMetadata.TIMESERIES);
  }

  boolean isCapped() {
    return options.containsKey("capped") && options.get("capped").asBoolean().getValue();
  }

  boolean isClustered() {
    return options.containsKey("clusteredIndex");
  }

  String namespace() {
    return database + "." + name;
  }

  /** The options that {@code create} takes. */
  BsonDocument creation() {
    var taken = new BsonDocument();
    options.forEach(
        (option, value) -> {
          if (!NOT_CREATED.contains(option)) {
            taken.append(option, value);
          }
        });
    return taken;
  }

  @Override
  public String toString() {
    return namespace();
  }
}
