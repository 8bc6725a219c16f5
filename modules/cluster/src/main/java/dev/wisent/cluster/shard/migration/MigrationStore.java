package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.CreateRequest;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The documents that a shard keeps of its migrations, beside its tables. Thread-safe. */
final class MigrationStore {
  static final Namespace DONATIONS = new Namespace("config", "migrationCoordinators");
  static final Namespace RECEPTIONS = new Namespace("config", "migrationRecipients");

  /** What is to be deleted of ranges that have gone, or did not come. */
  static final Namespace DELETIONS = new Namespace("config", "rangeDeletions");

  static final String CLONING = "cloning";
  static final String READY = "ready";
  static final String COMMITTED = "committed";

  private final Operations documents;
  private final Definitions definitions;
  private final Ownership ownership;
  private final RangeTables tables;
  private final EndedMigrations ended;
  private final Clock clock;

  MigrationStore(
      Operations documents,
      Definitions definitions,
      Ownership ownership,
      RangeTables tables,
      EndedMigrations ended,
      Clock clock) {
    this.documents = documents;
    this.definitions = definitions;
    this.ownership = ownership;
    this.tables = tables;
    this.ended = ended;
    this.clock = clock;
  }

  /** An operation of its own that ends with another one. */
  OperationContext partOf(OperationContext operation) {
    OperationContext part = OperationContext.internal(clock);
    part.stopCheck(operation::checkNow);
    part.writes().inTermOf(operation.writes());
    return part;
  }

  /** Creates the collections that are missing: a transaction does not. */
  void createCollections(OperationContext operation) {
    for (Namespace each : List.of(DONATIONS, RECEPTIONS, DELETIONS)) {
      if (definitions.find(each) == null) {
        definitions.create(operation, new CreateRequest(each, RawDocument.EMPTY, null));
      }
    }
  }

  /** Has late requests for a migration refused; to be called before its documents are removed. */
  void noteEnd(OperationContext operation, Migration migration) {
    ended.add(partOf(operation), migration.id());
  }

  /** Fails for a migration that has ended: its coordinator does not wait for this request. */
  void requireNotEnded(OperationContext operation, Migration migration) {
    if (ended.contains(partOf(operation), migration.id())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "the migration " + migration.id() + " has ended already");
    }
  }

  List<RawDocument> all(OperationContext operation, Namespace collection) {
    var found = new ArrayList<RawDocument>();
    try (ResultCursor cursor =
        documents.find(partOf(operation), FindRequest.of(collection, RawDocument.EMPTY))) {
      for (RawDocument each; (each = cursor.peek()) != null; cursor.take()) {
        found.add(RawDocument.of(each.toByteArray()));
      }
    }
    return found;
  }

  /** Null where there is none. */
  RawDocument find(OperationContext operation, Namespace collection, UUID id) {
    RawDocument filter = new BsonBuilder().appendUuid("_id", id).toDocument();
    try (ResultCursor cursor =
        documents.find(partOf(operation), FindRequest.of(collection, filter))) {
      RawDocument found = cursor.peek();
      return found == null ? null : RawDocument.of(found.toByteArray());
    }
  }

  void put(OperationContext operation, Namespace collection, RawDocument document) {
    tables.replace(partOf(operation), collection, document);
  }

  void remove(OperationContext operation, Namespace collection, RawDocument id) {
    tables.delete(partOf(operation), collection, id);
  }

  /** What this shard owns of the collection of a migration; fails where that is another one. */
  OwnedRanges owned(Migration migration) {
    OwnedRanges owned = ownership.tables().collection(migration.namespace());
    if (owned == null || !owned.uuid().equals(migration.uuid())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "collection "
              + migration.namespace()
              + " has changed: this shard does not know of the one to migrate");
    }
    return owned;
  }

  /** What the tables say of a migration; null where they do not know it. */
  RangeMove move(Migration migration) {
    return ownership.tables().moves().getOrDefault(migration.namespace(), List.of()).stream()
        .filter(move -> move.id().equals(migration.id()))
        .findFirst()
        .orElse(null);
  }

  /**
   * Changes tables and documents together.
   *
   * @return the cluster time of the change
   */
  long transactionally(OperationContext operation, Changes changes) {
    OperationContext part = OperationContext.internal(clock);
    tables.transactionally(part, () -> changes.run(part));
    ownership.changed();
    return part.lastWriteTime();
  }

  /** Statements of a transaction. */
  @FunctionalInterface
  interface Changes {
    void run(OperationContext operation);
  }

  static RawDocument moveDocument(Migration migration, RangeMove move) {
    return new BsonBuilder()
        .appendUuid("_id", migration.id())
        .appendString("ns", migration.namespace().full())
        .appendDocument("move", move.toDocument())
        .toDocument();
  }

  /**
   * What tells to delete a range, as MongoDB words it.
   *
   * @param now whether it is not kept for a while
   * @param pending whether the outcome is still to be settled
   */
  RawDocument deletion(Migration migration, long orphans, boolean now, boolean pending) {
    var out = new BsonBuilder(512).appendUuid("_id", migration.id());
    out.appendString("nss", migration.namespace().full());
    out.appendUuid("collectionUuid", migration.uuid());
    out.appendString("donorShardId", migration.from());
    out.appendInt64("numOrphanDocs", orphans);
    out.startDocument("range");
    migration.range().append(out);
    out.end().appendString("whenToClean", now ? "now" : "delayed");
    if (pending) {
      out.appendBoolean("pending", true);
    }
    out.appendDate("timestamp", clock.wallMillis());
    OwnedRanges owned = ownership.tables().collection(migration.namespace());
    if (owned != null) {
      out.append("keyPattern", RawValue.ofDocument(owned.key().pattern()));
    }
    return out.toDocument();
  }
}
