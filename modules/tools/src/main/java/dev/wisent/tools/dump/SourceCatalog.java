package dev.wisent.tools.dump;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoDatabase;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DumpFileNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Which collections there are, with their options and indexes. */
final class SourceCatalog {
  private static final int NAMESPACE_NOT_FOUND = 26;
  private static final Set<String> NOT_DUMPED = Set.of("local", "config");
  private static final Set<String> OF_ADMIN =
      Set.of("system.users", "system.roles", "system.version");

  private final Deployment deployment;
  private final DumpSettings settings;

  SourceCatalog(Deployment deployment, DumpSettings settings) {
    this.deployment = deployment;
    this.settings = settings;
  }

  List<SourceCollection> read() throws ToolException {
    List<SourceCollection> found = new ArrayList<>();
    for (String database : databases()) {
      addDatabase(database, found);
    }
    if (settings.collection().isPresent() && found.isEmpty()) {
      throw ToolException.failed(
          "there is no collection %s.%s"
              .formatted(settings.database().get(), settings.collection().get()));
    }
    if (settings.usersAndRoles()) {
      addUsersAndRoles(settings.database().get(), found);
    }
    return found;
  }

  /** Whether two lists have the same collections with the same options and indexes. */
  static boolean isSame(List<SourceCollection> one, List<SourceCollection> other) {
    return definitions(one).equals(definitions(other));
  }

  private static Map<String, String> definitions(List<SourceCollection> collections) {
    Map<String, String> definitions = new TreeMap<>();
    collections.forEach(
        each -> definitions.put(each.target() + "." + each.targetName(), each.metadata().toJson()));
    return definitions;
  }

  private List<String> databases() {
    if (settings.database().isPresent()) {
      return List.of(settings.database().get());
    }
    List<String> names = new ArrayList<>();
    for (String name : deployment.client().listDatabaseNames()) {
      if (!NOT_DUMPED.contains(name)) {
        names.add(name);
      }
    }
    return names;
  }

  private void addDatabase(String name, List<SourceCollection> found) throws ToolException {
    MongoDatabase database = deployment.database(name);
    for (BsonDocument listed : database.listCollections(BsonDocument.class)) {
      String collection = listed.getString("name").getValue();
      if (!settings.wants(collection) || isInternal(name, collection)) {
        continue;
      }
      String type = listed.getString("type", new BsonString("collection")).getValue();
      if (type.equals(CollectionMetadata.TIMESERIES)) {
        throw ToolException.failed(
            "%s.%s is a time-series collection, which cannot be dumped; leave it out by --db %s"
                    .formatted(name, collection, name)
                + " --excludeCollection "
                + collection);
      }
      boolean view = type.equals(CollectionMetadata.VIEW);
      if (settings.viewsAsCollections() && !view) {
        continue;
      }
      found.add(source(database, collection, listed, view));
    }
  }

  private SourceCollection source(
      MongoDatabase database, String collection, BsonDocument listed, boolean view) {
    boolean stays = view && !settings.viewsAsCollections();
    BsonDocument options =
        view && !stays ? new BsonDocument() : listed.getDocument("options", new BsonDocument());
    BsonValue uuid = listed.getDocument("info", new BsonDocument()).get("uuid");
    var metadata =
        new CollectionMetadata(
            collection,
            stays ? CollectionMetadata.VIEW : CollectionMetadata.COLLECTION,
            options,
            view ? List.of() : indexes(database, collection),
            CollectionMetadata.uuidOf(uuid));
    return new SourceCollection(
        database.getName(),
        collection,
        database.getName(),
        collection,
        metadata,
        settings.query().orElseGet(BsonDocument::new),
        view || settings.query().isPresent()
            ? 0
            : database.getCollection(collection).estimatedDocumentCount(),
        !stays,
        !isOfServer(database.getName(), collection));
  }

  private static List<BsonDocument> indexes(MongoDatabase database, String collection) {
    try {
      return database
          .getCollection(collection)
          .listIndexes(BsonDocument.class)
          .into(new ArrayList<>());
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == NAMESPACE_NOT_FOUND) {
        return List.of(); // dropped since it was listed
      }
      throw e;
    }
  }

  /**
   * What the server keeps for itself. Of the rest only functions and users are of use elsewhere.
   */
  private static boolean isInternal(String database, String collection) {
    return collection.startsWith("system.")
        && !collection.equals("system.js")
        && !isOfServer(database, collection);
  }

  private static boolean isOfServer(String database, String collection) {
    return database.equals("admin") && OF_ADMIN.contains(collection);
  }

  private static void addUsersAndRoles(String database, List<SourceCollection> found) {
    found.add(ofAdmin("system.users", DumpFileNames.USERS_OF_DATABASE, database));
    found.add(ofAdmin("system.roles", DumpFileNames.ROLES_OF_DATABASE, database));
  }

  private static SourceCollection ofAdmin(String name, String file, String database) {
    return new SourceCollection(
        "admin",
        name,
        database,
        file,
        new CollectionMetadata(
            file, CollectionMetadata.COLLECTION, new BsonDocument(), List.of(), ""),
        new BsonDocument("db", new BsonString(database)),
        0,
        true,
        false);
  }
}
