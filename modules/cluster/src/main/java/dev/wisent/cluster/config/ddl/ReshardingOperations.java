package dev.wisent.cluster.config.ddl;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogChange;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.cluster.coordinator.PhaseContext;
import dev.wisent.operation.OperationContext;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * {@code config.reshardingOperations}: what is under way, in MongoDB's shape. It is for people and
 * tools; the document of the coordinator says where to go on.
 */
final class ReshardingOperations {
  static final String COLLECTION = "reshardingOperations";

  private final String type;
  private final CatalogStore store;

  /** How far an operation is, in MongoDB's words for each of its participants. */
  enum State {
    PREPARING("preparing-to-donate", "preparing-to-donate", "creating-collection"),
    CLONING("cloning", "donating-initial-data", "cloning"),
    APPLYING("applying", "donating-oplog-entries", "applying"),
    BLOCKING("blocking-writes", "blocking-writes", "applying"),
    COMMITTING("committing", "blocking-writes", "strict-consistency"),
    ABORTING("aborting", "done", "done");

    private final String ofCoordinator;
    private final String ofDonors;
    private final String ofRecipients;

    State(String ofCoordinator, String ofDonors, String ofRecipients) {
      this.ofCoordinator = ofCoordinator;
      this.ofDonors = ofDonors;
      this.ofRecipients = ofRecipients;
    }
  }

  /**
   * @param type what a client has asked for
   */
  ReshardingOperations(String type, CatalogStore store) {
    this.type = type;
    this.store = store;
  }

  void put(PhaseContext context, State state) {
    store.put(context.operation(), COLLECTION, document(context, state));
  }

  /** The same in a transaction. */
  void replace(PhaseContext context, State state, CatalogChange change) {
    change.deleteAll(COLLECTION, DocumentFields.byId(id(context)));
    change.insert(COLLECTION, document(context, state));
  }

  void remove(PhaseContext context) {
    store.remove(context.operation(), COLLECTION, id(context));
  }

  /** The UUID that a client has given, or that of the run. */
  static RawValue id(PhaseContext context) {
    RawValue given = context.arguments().get("reshardingUUID");
    return given == null
        ? new BsonBuilder().appendUuid("id", context.id()).toDocument().get("id")
        : given;
  }

  /** What currentOp shows of the coordinator, with MongoDB's names. */
  RawDocument progress(PhaseContext context) {
    RawDocument data = context.data();
    var out = new BsonBuilder();
    out.startDocument("originatingCommand").appendString(type, context.resource());
    out.appendAll(context.arguments()).end();
    out.appendString("coordinatorState", state(context));
    if (data.get("startTime") != null) {
      long millis = context.operation().clock().wallMillis() - data.get("startTime").asInt64();
      out.appendInt64("totalOperationTimeElapsedSecs", TimeUnit.MILLISECONDS.toSeconds(millis));
    }
    return out.toDocument();
  }

  /** The stored one: phases store states within them too. Any thread may ask for it. */
  private String state(PhaseContext context) {
    var reading = OperationContext.internal(context.operation().clock());
    RawDocument stored = store.findOne(reading, COLLECTION, DocumentFields.byId(id(context)));
    if (stored != null) {
      return DocumentFields.text(stored, "state");
    }
    boolean decided = context.data().get(ReshardEnd.BLOCKS) != null;
    return (decided ? State.COMMITTING : State.PREPARING).ofCoordinator;
  }

  private RawDocument document(PhaseContext context, State state) {
    RawDocument data = context.data();
    var out = new BsonBuilder().append("_id", id(context));
    out.appendString("ns", context.resource()).append("ui", data.get("uuid"));
    out.append("tempNs", data.get("temporary")).append("reshardingKey", data.get("key"));
    if (data.get("startTime") != null) {
      out.append("startTime", data.get("startTime"));
    }
    out.appendString("state", state.ofCoordinator);
    shards(out, "donorShards", ReshardCoordinator.donors(context), state.ofDonors);
    shards(out, "recipientShards", ReshardCoordinator.holders(context), state.ofRecipients);
    for (String field : List.of("numInitialChunks", "forceRedistribution")) {
      if (context.arguments().get(field) != null) {
        out.append(field, context.arguments().get(field));
      }
    }
    return out.appendString("provenance", type).toDocument();
  }

  private static void shards(
      BsonBuilder out, String field, Collection<String> names, String state) {
    out.startArray(field);
    int index = 0;
    for (String name : names) {
      out.startDocument(index++).appendString("id", name);
      out.startDocument("mutableState").appendString("state", state).end().end();
    }
    out.end();
  }
}
