package dev.wisent.tools.migrate;

import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import dev.wisent.base.Clock;
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
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * What a run has to know of the one before it, in a database of the target. Every change waits for
 * the majority, so what is stored is there after the next crash. Thread-safe.
 */
final class MigrationState {
  static final String DATABASE = "wisent_migrate";

  private static final int DUPLICATE_KEY = 11_000;
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
  private final Fence fence;

  /**
   * @param run names this process, so that another one that has taken over is noticed
   */
  MigrationState(Deployment target, String run, Clock clock) {
    this.target = target;
    this.run = run;
    this.fence = new Fence(this::beat, clock);
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

  /** Where it is stored. */
  Deployment deployment() {
    return target;
  }

  /** To be asked before each write to the target. */
  Fence fence() {
    return fence;
  }

  /** Stores a new migration, unless another process has just done so. */
  void begin(BsonDocument identity, BsonDocument token) throws ToolException {
    BsonDocument document =
        new BsonDocument("_id", new BsonString(ID))
            .append("identity", identity)
            .append("phase", new BsonString(Phase.COPY.name()))
            .append("run", new BsonString(run));
    if (token != null) {
      document.append("token", token);
    }
    try {
      state.insertOne(document);
    } catch (MongoWriteException e) {
      // A retry of the driver finds what its first attempt has inserted.
      boolean ours = stored(target).filter(there -> run.equals(text(there.get("run")))).isPresent();
      if (e.getCode() != DUPLICATE_KEY) {
        throw e;
      }
      if (!ours) {
        throw ToolException.failed("another process is running this migration");
      }
    }
  }

  private static String text(BsonValue value) {
    return value == null ? "" : value.asString().getValue();
  }

  /**
   * Makes this process the one that the migration is run by, unless the one of before has shown a
   * sign of life, or another has taken over.
   *
   * @param seen what was stored when the decision was made
   */
  void takeOver(BsonDocument seen) throws ToolException {
    UpdateResult result =
        state.updateOne(
            Filters.and(
                OURS,
                Filters.in("run", unchanged(seen, "run"), new BsonString(run)),
                Filters.eq("beat", unchanged(seen, "beat"))),
            Updates.set("run", run));
    if (result.getMatchedCount() == 0) {
      throw ToolException.failed("another process is running this migration");
    }
    // From here on the process of before can store nothing.
    collections.updateMany(new BsonDocument(), Updates.set("run", run));
  }

  /** Null also finds what is not there. */
  private static BsonValue unchanged(BsonDocument seen, String field) {
    return seen.get(field, BsonNull.VALUE);
  }

  /** Lets another process take over at once. */
  void release() {
    state.updateOne(Filters.and(OURS, Filters.eq("run", run)), Updates.unset("run"));
  }

  private boolean beat() {
    return state
            .updateOne(Filters.and(OURS, Filters.eq("run", run)), Updates.inc("beat", 1L))
            .getMatchedCount()
        == 1;
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

  /** The end has failed: the next run follows until it is asked again. */
  void finishFailed() throws ToolException {
    update(Updates.unset("finish"));
  }

  boolean isFinishing() {
    return stored(target)
        .map(document -> document.getBoolean("finish", BsonBoolean.FALSE).getValue())
        .orElse(false);
  }

  private void update(Bson change) throws ToolException {
    UpdateResult result = state.updateOne(Filters.and(OURS, Filters.eq("run", run)), change);
    if (result.getMatchedCount() == 0) {
      throw ToolException.failed(Fence.LOST);
    }
  }

  /** All collections that were begun. */
  List<MovedCollection> collections() {
    List<MovedCollection> all = new ArrayList<>();
    collections.find().forEach(document -> all.add(MovedCollection.of(document)));
    return all;
  }

  void store(MovedCollection moved) throws ToolException {
    fence.check();
    try {
      collections.replaceOne(
          ofThisRun(moved.source()),
          moved.toDocument().append("run", new BsonString(run)),
          new ReplaceOptions().upsert(true));
    } catch (MongoWriteException e) {
      // It is there, and is another process's.
      if (e.getCode() == DUPLICATE_KEY) {
        throw ToolException.failed(Fence.LOST, e);
      }
      throw e;
    }
  }

  void forget(BsonBinary source) throws ToolException {
    fence.check();
    collections.deleteOne(ofThisRun(source));
  }

  private Bson ofThisRun(BsonBinary source) {
    return Filters.and(Filters.eq("_id", source), Filters.eq("run", run));
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
