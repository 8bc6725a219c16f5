package dev.wisent.tools.restore;

import com.mongodb.client.MongoDatabase;
import dev.wisent.tools.connection.Deployment;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** Drops, creates and indexes collections. Thread-safe. */
final class TargetDefinitions {
  private static final String DEFAULT_INDEX = "_id_";

  private final Deployment deployment;
  private final RestoreSettings settings;
  private final Map<String, Set<String>> known = new ConcurrentHashMap<>();

  TargetDefinitions(Deployment deployment, RestoreSettings settings) {
    this.deployment = deployment;
    this.settings = settings;
  }

  boolean exists(CollectionRestore restore) {
    return known
        .computeIfAbsent(
            restore.database(),
            name -> deployment.database(name).listCollectionNames().into(new TreeSet<>()))
        .contains(restore.name());
  }

  /** Returns whether the collection is a new one. */
  boolean create(CollectionRestore restore, BsonDocument options) {
    MongoDatabase database = deployment.database(restore.database());
    boolean there = exists(restore);
    boolean system = restore.name().startsWith("system.");
    if (there && settings.drop() && !system) {
      database.getCollection(restore.name()).drop();
      there = false;
    }
    if (there || system) {
      return false;
    }
    var command = new BsonDocument("create", new BsonString(restore.name()));
    if (settings.options() || restore.isView()) {
      options.forEach(
          (name, value) -> {
            if (!name.equals("autoIndexId") && !name.equals("uuid")) {
              command.append(name, value);
            }
          });
    }
    database.runCommand(command);
    return true;
  }

  /** Builds what is not there by its nature. Returns how many indexes that are. */
  int buildIndexes(CollectionRestore restore) {
    var specifications = new BsonArray();
    for (BsonDocument index : restore.indexes()) {
      boolean ofCollection =
          index.containsKey("clustered")
              || index.getString("name", new BsonString("")).getValue().equals(DEFAULT_INDEX);
      if (ofCollection) {
        continue;
      }
      BsonDocument specification = index.clone();
      specification.remove("ns");
      specification.remove("background");
      if (!settings.keepIndexVersion()) {
        specification.remove("v");
      }
      specifications.add(specification);
    }
    if (!specifications.isEmpty()) {
      deployment
          .database(restore.database())
          .runCommand(
              new BsonDocument("createIndexes", new BsonString(restore.name()))
                  .append("indexes", specifications));
    }
    return specifications.size();
  }
}
