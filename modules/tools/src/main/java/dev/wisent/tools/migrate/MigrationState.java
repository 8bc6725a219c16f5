package dev.wisent.tools.migrate;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.bson.BsonBinary;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * What a run has to know of the one before it, in a database of the target. Every change waits for
 * the majority, so what is stored is there after the next crash. Thread-safe.
 */
final class MigrationState {
  static final String DATABASE = "wisent_migrate";

  private static final String ID = "migration";
  private static final Bson OURS = Filters.eq("_id", ID);

  /** How far the migration is. */
  enum Phase {
    COPY,
    FOLLOW,
    DONE
  }

  private final MongoCollection<BsonDocument> state;
  private final MongoCollection<BsonDocument> collections;
  private final Deployment target;
  private final String run;

  /**
   * @param run names this process, so that another one that has taken over is noticed
   */
  MigrationState(Deployment target, String run) {
    this.target = target;
    this.run = run;
    this.state = collection(target, "state");
    this.collections = collection(target, "collections");
  }

  private static MongoCollection<BsonDocument> collection(Deployment target, String name) {
    return target
        .database(DATABASE)
        .getCollection(name, BsonDocument.class)
        .withWriteConcern(WriteConcern.MAJORITY);
  }

  /** What is stored, if there is a migration. */
  static Optional<BsonDocument> stored(Deployment target) {
    return Optional.ofNullable(collection(target, "state").find(OURS).first());
  }

  /** Asks the process that is running to finish. Returns whether there is a migration. */
  static boolean askToFinish(Deployment target) {
    return collection(target, "state")
            .updateOne(OURS, Updates.set("finish", true))
            .getMatchedCount()
        == 1;
  }

  /** Stores a new migration. */
  void begin(BsonDocument identity, BsonDocument token) {
    BsonDocument document =
        new BsonDocument("_id", new BsonString(ID))
            .append("identity", identity)
            .append("phase", new BsonString(Phase.COPY.name()))
            .append("run", new BsonString(run));
    if (token != null) {
      document.append("token", token);
    }
    state.replaceOne(OURS, document, new ReplaceOptions().upsert(true));
  }

  /** Makes this process the one that the migration is run by. */
  void takeOver() {
    state.updateOne(OURS, Updates.set("run", run));
  }

  /** Lets another process take over at once. */
  void release() {
    state.updateOne(Filters.and(OURS, Filters.eq("run", run)), Updates.unset("run"));
  }

  /** Says that this process is alive. */
  void beat() {
    state.updateOne(Filters.and(OURS, Filters.eq("run", run)), Updates.inc("beat", 1L));
  }

  /** What changes while another process is alive; empty if none claims to be. */
  static Optional<String> sign(BsonDocument stored) {
    return stored.containsKey("run")
        ? Optional.of(
            stored.getString("run").getValue()
                + stored.getNumber("beat", new BsonInt64(0)).longValue())
        : Optional.empty();
  }

  void phase(Phase phase) throws ToolException {
    update(Updates.set("phase", phase.name()));
  }

  /** Stores up to where changes are applied. Returns whether the user has asked to finish. */
  boolean token(BsonDocument token) throws ToolException {
    update(Updates.set("token", token));
    return isFinishing();
  }

  void finish() throws ToolException {
    update(Updates.set("finish", true));
  }

  boolean isFinishing() {
    return stored(target)
        .map(document -> document.getBoolean("finish", BsonBoolean.FALSE).getValue())
        .orElse(false);
  }

  private void update(Bson change) throws ToolException {
    UpdateResult result = state.updateOne(Filters.and(OURS, Filters.eq("run", run)), change);
    if (result.getMatchedCount() == 0) {
      throw ToolException.failed(
          "another process has taken over this migration, or its state was dropped");
    }
  }

  /** All collections that were begun. */
  List<MovedCollection> collections() {
    List<MovedCollection> all = new ArrayList<>();
    collections.find().forEach(document -> all.add(MovedCollection.of(document)));
    return all;
  }

  void store(MovedCollection moved) {
    collections.replaceOne(
        Filters.eq("_id", moved.source()), moved.toDocument(), new ReplaceOptions().upsert(true));
  }

  void forget(BsonBinary source) {
    collections.deleteOne(Filters.eq("_id", source));
  }

  /** The views that this migration has created, with their definitions. */
  Map<String, String> views() {
    Map<String, String> found = new TreeMap<>();
    BsonValue views = stored(target).map(document -> document.get("views")).orElse(null);
    if (views != null) {
      for (BsonValue each : views.asArray()) {
        BsonDocument view = each.asDocument();
        found.put(view.getString("ns").getValue(), view.getString("options").getValue());
      }
    }
    return found;
  }

  /** Notes a view before it is created. */
  void viewCreated(String namespace, String definition) throws ToolException {
    viewDropped(namespace);
    update(
        Updates.push(
            "views",
            new BsonDocument("ns", new BsonString(namespace))
                .append("options", new BsonString(definition))));
  }

  void viewDropped(String namespace) throws ToolException {
    update(Updates.pull("views", new BsonDocument("ns", new BsonString(namespace))));
  }

  /** The migration has ended, or is to begin anew. */
  static void drop(Deployment target) {
    target.database(DATABASE).withWriteConcern(WriteConcern.MAJORITY).drop();
  }
}
