package dev.wisent.conformance.unified;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/**
 * Creates the entities that a case describes.
 *
 * @param uri of one server
 * @param uriOfAll the same, or that of all routers
 */
record EntityFactory(String uri, String uriOfAll) {
  private static final int HEARTBEAT_MILLIS = 50;

  /** Each element has one field: the kind, with the description as its value. */
  void create(BsonDocument element, Entities entities) {
    String kind = element.getFirstKey();
    BsonDocument description = element.getDocument(kind);
    String id = description.getString("id").getValue();
    switch (kind) {
      case "client" -> entities.add(id, client(description));
      case "database" -> {
        MongoClient client = clientOf(description, entities);
        entities.addDatabase(id, database(description, client), client);
      }
      case "collection" -> entities.add(id, collection(description, entities));
      case "session" -> entities.add(id, session(description, clientOf(description, entities)));
      default -> throw new TestAbortedException("entity kind " + kind);
    }
  }

  private ClientEntity client(BsonDocument description) {
    ObservedCommands commands =
        new ObservedCommands(
            description.getArray("ignoreCommandMonitoringEvents", new BsonArray()).stream()
                .map(name -> name.asString().getValue())
                .toList());
    ObservedPool pool = new ObservedPool();
    BsonDocument uriOptions = description.getDocument("uriOptions", new BsonDocument());
    MongoClientSettings.Builder settings =
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString(withOptions(server(description), uriOptions)))
            .addCommandListener(commands)
            .applyToConnectionPoolSettings(b -> b.addConnectionPoolListener(pool));
    if (!uriOptions.containsKey("heartbeatFrequencyMS")) {
      // A driver that was told of a shutdown looks for a server only with the next heartbeat: what
      // a fail point makes up is no change that a member would tell of.
      settings.applyToServerSettings(
          b ->
              b.heartbeatFrequency(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS)
                  .minHeartbeatFrequency(HEARTBEAT_MILLIS, TimeUnit.MILLISECONDS));
    }
    if (description.containsKey("serverApi")) {
      settings.serverApi(DriverOptions.serverApi(description.getDocument("serverApi")));
    }
    return new ClientEntity(MongoClients.create(settings.build()), commands, pool);
  }

  private String server(BsonDocument description) {
    return description.getBoolean("useMultipleMongoses", BsonBoolean.FALSE).getValue()
        ? uriOfAll
        : uri;
  }

  private static String withOptions(String uri, BsonDocument uriOptions) {
    List<String> options = new ArrayList<>();
    // So that a server that does not answer fails the case instead of stopping the run.
    options.add("socketTimeoutMS=20000");
    options.add("serverSelectionTimeoutMS=20000");
    uriOptions.forEach((name, value) -> options.add(name + "=" + text(value)));
    return uri + (uri.contains("?") ? "&" : "?") + String.join("&", options);
  }

  private static String text(BsonValue value) {
    if (value.isString()) {
      return value.asString().getValue();
    }
    return value.isBoolean()
        ? Boolean.toString(value.asBoolean().getValue())
        : Long.toString(value.asNumber().longValue());
  }

  private static MongoClient clientOf(BsonDocument description, Entities entities) {
    String id = description.getString("client").getValue();
    return entities.find(id, ClientEntity.class).client();
  }

  private static MongoDatabase database(BsonDocument description, MongoClient client) {
    MongoDatabase database = client.getDatabase(description.getString("databaseName").getValue());
    BsonDocument options = description.getDocument("databaseOptions", new BsonDocument());
    for (String name : options.keySet()) {
      BsonDocument value = options.getDocument(name);
      database =
          switch (name) {
            case "readConcern" -> database.withReadConcern(DriverOptions.readConcern(value));
            case "writeConcern" -> database.withWriteConcern(DriverOptions.writeConcern(value));
            case "readPreference" ->
                database.withReadPreference(DriverOptions.readPreference(value));
            default -> throw new TestAbortedException("database option " + name);
          };
    }
    return database;
  }

  private static MongoCollection<BsonDocument> collection(
      BsonDocument description, Entities entities) {
    MongoCollection<BsonDocument> collection =
        entities
            .find(description.getString("database").getValue(), MongoDatabase.class)
            .getCollection(description.getString("collectionName").getValue(), BsonDocument.class);
    BsonDocument options = description.getDocument("collectionOptions", new BsonDocument());
    for (String name : options.keySet()) {
      BsonDocument value = options.getDocument(name);
      collection =
          switch (name) {
            case "readConcern" -> collection.withReadConcern(DriverOptions.readConcern(value));
            case "writeConcern" -> collection.withWriteConcern(DriverOptions.writeConcern(value));
            case "readPreference" ->
                collection.withReadPreference(DriverOptions.readPreference(value));
            default -> throw new TestAbortedException("collection option " + name);
          };
    }
    return collection;
  }

  private static ClientSession session(BsonDocument description, MongoClient client) {
    ClientSessionOptions.Builder builder = ClientSessionOptions.builder();
    BsonDocument options = description.getDocument("sessionOptions", new BsonDocument());
    for (String name : options.keySet()) {
      BsonValue value = options.get(name);
      switch (name) {
        case "causalConsistency" -> builder.causallyConsistent(value.asBoolean().getValue());
        case "snapshot" -> builder.snapshot(value.asBoolean().getValue());
        case "defaultTransactionOptions" ->
            builder.defaultTransactionOptions(DriverOptions.transaction(value.asDocument()));
        default -> throw new TestAbortedException("session option " + name);
      }
    }
    return client.startSession(builder.build());
  }
}
