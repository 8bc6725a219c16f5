package dev.wisent.cluster.shard.migration;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.MigrationFigures.Figure;
import dev.wisent.cluster.shard.range.RangeDeletions;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import java.util.List;
import java.util.function.Supplier;

/** The shard that gives a range away, and decides that it does. Thread-safe. */
final class Donor {
  /** How often changes are sent before the first copy counts as complete. */
  private static final int ROUNDS_MAX = 100;

  /** In so many of them clients go first; if that is too slow, no longer. */
  private static final int PACED_ROUNDS_MAX = 10;

  private final MigrationStore store;
  private final RangeTables tables;
  private final Operations documents;
  private final Definitions definitions;
  private final RecipientCalls recipient;
  private final CriticalSection critical;
  private final MigrationFigures figures;
  private final RangeDeletions deletions;
  private final WriteGate gate;
  private final Supplier<ReadPoint> states;
  private final Donations donations;
  private final DecisionTimes decisions = new DecisionTimes();

  Donor(
      MigrationStore store,
      Ownership ownership,
      RangeTables tables,
      Operations documents,
      Definitions definitions,
      RecipientCalls recipient,
      SessionCopies sessions,
      MigrationPoints points,
      MigrationFigures figures,
      RangeDeletions deletions,
      WriteGate gate,
      ShownMigration.Shown shown,
      ForegroundPace pace,
      Supplier<ReadPoint> states,
      Clock clock) {
    this.gate = gate;
    this.states = states;
    this.deletions = deletions;
    this.store = store;
    this.tables = tables;
    this.documents = documents;
    this.definitions = definitions;
    this.recipient = recipient;
    this.figures = figures;
    this.donations =
        new Donations(
            gate,
            (migration, term) ->
                new Donation(
                    migration, term, documents, recipient, sessions, figures, shown, pace, clock));
    this.critical = new CriticalSection(this, donations, ownership, gate, points, figures);
  }

  /**
   * Brings a range to the recipient, but for what changes afterwards. Asked again it waits for the
   * first request, and says the same; another primary begins anew.
   *
   * @param limit of the size of the range
   */
  void clone(OperationContext operation, Migration migration, SizeLimit limit, BsonBuilder reply) {
    boolean done = false;
    while (!done) {
      Donation donation = donations.of(migration);
      done = Donations.inTurn(operation, donation, () -> clone(operation, donation, limit, reply));
    }
  }

  /** Returns false where the donation was given up before its turn came: another one begins. */
  private boolean clone(
      OperationContext operation, Donation donation, SizeLimit limit, BsonBuilder reply) {
    if (!donations.isCurrent(donation)) {
      return false;
    }
    if (store.move(donation.migration()) == null && !donation.isSteady()) {
      try {
        cloneOnce(operation, donation, limit);
      } catch (RuntimeException e) {
        donations.drop(donation);
        throw e;
      }
    }
    reply.appendInt64("clonedDocs", donation.documentsSent());
    reply.appendInt64("clonedBytes", donation.bytesSent());
    reply.appendInt64("millis", donation.millis());
    return true;
  }

  private void cloneOnce(OperationContext operation, Donation donation, SizeLimit limit) {
    Migration migration = donation.migration();
    // In its turn: an end that is noted later waits for this one, and removes what it leaves.
    store.requireNotEnded(operation, migration);
    figures.add(Figure.STARTED, 1);
    store.createCollections(operation);
    OwnedRanges owned = store.owned(migration);
    if (!owned.covers(migration.range())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "this shard does not own the range " + migration.range());
    }
    var range =
        new RangeDocuments(
            documents, definitions, migration.namespace(), owned.key(), migration.range());
    OperationContext part = store.partOf(operation);
    donation.steps().enter("count");
    long count = range.count(part);
    List<RawDocument> some = range.first(part, 64);
    limit.check(migration, count, () -> some);
    donation.expect(count, some);
    donation.steps().enter("prepare");
    long attempt = 1 + attempts(operation, migration);
    store.put(
        operation,
        MigrationStore.DONATIONS,
        migration.document(MigrationStore.CLONING).appendInt64("attempt", attempt).toDocument());
    donation.begin(attempt, new ChangedKeys(documents, owned, migration.range(), part));
    donation.call(operation, "_shardsvrRecvStart", body -> definition(owned).append(body));
    donation.steps().enter("clone");
    try (var copy = new RangeCopy(range::open, store.partOf(operation), states)) {
      donation.clone(operation, copy, count);
    }
    figures.add(Figure.CLONE_MILLIS, donation.millis());
    donation.steps().enter("catchUp");
    donation.sendAllSessions(operation);
    catchUp(operation, donation);
    donation.steady();
    donation.steps().enter("reserve");
  }

  private long attempts(OperationContext operation, Migration migration) {
    RawDocument before = store.find(operation, MigrationStore.DONATIONS, migration.id());
    return before == null ? 0 : DocumentFields.number(before, "attempt");
  }

  private SentDefinition definition(OwnedRanges owned) {
    return new SentDefinition(owned, definitions, figures);
  }

  /** Sends changes until there are few: then it takes a moment to send the rest. */
  void catchUp(OperationContext operation, Donation donation) {
    OperationContext part = store.partOf(operation);
    for (int round = 0;
        !donation.catchUp(part, round < PACED_ROUNDS_MAX) && round < ROUNDS_MAX;
        round++) {
      operation.checkNow();
    }
  }

  /**
   * Gives the range away. The reply says whether that is so, and if not, why; an error means that
   * it is not known yet.
   */
  void commit(
      OperationContext operation,
      Migration migration,
      ChunkVersion version,
      boolean now,
      BsonBuilder reply) {
    Donation donation = donations.find(migration);
    if (!isDecided(migration)) {
      if (donation == null) {
        refuse(reply, Donations.gone(migration));
        return;
      }
      CommandException failure =
          Donations.inTurn(
              operation, donation, () -> tryCommit(operation, donation, version, now, reply));
      if (failure != null) {
        refuse(reply, failure);
        return;
      }
    }
    if (donation != null) {
      donation.decided();
      donation.steps().enter("deliver");
    }
    RawDocument delivered = deliver(operation, migration);
    reply.appendBoolean("committed", true);
    reply.appendDocument("recipientSteps", DocumentFields.document(delivered, "steps"));
    if (donation != null) {
      donation.steps().leave();
      reply.appendDocument("steps", donation.steps().toDocument());
      reply.appendInt64("clonedDocs", donation.documentsSent());
      reply.appendInt64("clonedBytes", donation.bytesSent());
    }
  }

  /**
   * Whether this shard has given the range away; fails where this member may not know. A primary
   * knows what it has written in earlier terms, which another one may have committed.
   */
  private boolean isDecided(Migration migration) {
    boolean leads = gate.isOpen();
    if (store.move(migration) != null) {
      return true;
    }
    if (!leads) {
      throw new CommandException(
          ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE, "this member does not lead its shard");
    }
    return false;
  }

  private static void refuse(BsonBuilder reply, CommandException failure) {
    reply.appendBoolean("committed", false);
    reply.appendInt32("reasonCode", failure.code().code());
    reply.appendString("reason", failure.getMessage());
  }

  /** Null where the range is given away; otherwise why it certainly is not. */
  private CommandException tryCommit(
      OperationContext operation,
      Donation donation,
      ChunkVersion version,
      boolean now,
      BsonBuilder reply) {
    if (isDecided(donation.migration())) {
      return null;
    }
    if (!donation.isSteady()) {
      return Donations.gone(donation.migration());
    }
    try {
      donations.requireTerm(donation);
      donation.steps().enter("catchUp");
      catchUp(operation, donation);
      donation.steps().enter("criticalSection");
      critical.run(operation, donation, version, now, reply);
      figures.add(Figure.COMMITTED, 1);
      figures.add(Figure.DONOR_MILLIS, donation.millis());
      return null;
    } catch (CommandException e) {
      operation.checkNow();
      if (isDecided(donation.migration())) {
        return null;
      }
      if (ErrorCode.isStateChange(e.code().code())) {
        throw e; // The next primary knows.
      }
      // A late request for the same must not come to another answer.
      donations.drop(donation);
      figures.add(Figure.ABORTED, 1);
      return e;
    }
  }

  /**
   * The decision (rule H1): one entry of the log that takes the range from the tables. No write of
   * the collection is under way.
   */
  void giveUp(
      OperationContext operation,
      Migration migration,
      ChunkVersion version,
      boolean now,
      long count) {
    OwnedRanges before = store.owned(migration);
    if (!before.covers(migration.range())) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "this shard does not own the range " + migration.range());
    }
    RangeMove move = migration.move(version, true);
    RawDocument deletion = store.deletion(migration, count, now, true);
    RawDocument donated =
        migration
            .document(MigrationStore.COMMITTED)
            .appendDocument("version", version.toDocument())
            .toDocument();
    long at =
        store.transactionally(
            operation,
            part -> {
              tables.change(part, before, before.without(migration.range(), version), count);
              tables.replace(part, Ownership.MOVES, MigrationStore.moveDocument(migration, move));
              tables.replace(part, MigrationStore.DONATIONS, donated);
              tables.replace(part, MigrationStore.DELETIONS, deletion);
            });
    decisions.note(migration, at);
  }

  OperationContext partOf(OperationContext operation) {
    return store.partOf(operation);
  }

  /** Tells the recipient that it owns the range; what that says. */
  RawDocument deliver(OperationContext operation, Migration migration) {
    return recipient.call(
        operation,
        migration,
        "_shardsvrRecvCommit",
        body -> decisions.append(migration, body),
        List.of());
  }

  /** Migrations that were decided here and may not have reached their recipients. */
  List<Migration> decided(OperationContext operation) {
    return store.all(operation, MigrationStore.DONATIONS).stream()
        .filter(each -> MigrationStore.COMMITTED.equals(DocumentFields.text(each, "state")))
        .map(Migration::of)
        .filter(migration -> store.move(migration) != null)
        .toList();
  }

  /** How many migrations have begun here and not ended. */
  int unfinished(OperationContext operation) {
    return store.all(operation, MigrationStore.DONATIONS).size();
  }

  /**
   * Ends a migration that was not decided.
   *
   * @return whether it was decided before, and stays so
   */
  boolean abort(OperationContext operation, Migration migration) {
    store.noteEnd(operation, migration);
    donations.drop(operation, migration);
    if (store.move(migration) != null) {
      return true;
    }
    if (store.find(operation, MigrationStore.DONATIONS, migration.id()) != null) {
      store.remove(operation, MigrationStore.DONATIONS, migration.storedId());
    }
    return false;
  }

  /**
   * Forgets a migration that the config servers know of: the range may be deleted.
   *
   * @param waits whether that is waited for
   */
  void end(OperationContext operation, Migration migration, boolean waits) {
    store.noteEnd(operation, migration);
    donations.drop(operation, migration);
    decisions.forget(migration);
    settle(operation, migration);
    if (waits) {
      awaitDeletion(operation, migration);
    }
  }

  /** Not while deletions are switched off: the coordinator repeats this call until it succeeds. */
  private void awaitDeletion(OperationContext operation, Migration migration) {
    try {
      deletions.awaitEnd(migration.id(), operation);
    } catch (CommandException e) {
      if (e.code() != ErrorCode.RESUMABLE_RANGE_DELETER_DISABLED) {
        throw e;
      }
    }
  }

  private void settle(OperationContext operation, Migration migration) {
    RawDocument deletion = store.find(operation, MigrationStore.DELETIONS, migration.id());
    boolean known = store.find(operation, MigrationStore.DONATIONS, migration.id()) != null;
    if (!known && store.move(migration) == null) {
      return;
    }
    store.transactionally(
        operation,
        part -> {
          tables.delete(part, Ownership.MOVES, migration.storedId());
          tables.delete(part, MigrationStore.DONATIONS, migration.storedId());
          if (deletion != null) {
            tables.replace(
                part, MigrationStore.DELETIONS, DocumentFields.without(deletion, "pending"));
          }
        });
  }

  void dropEarlierTerms() {
    decisions.clear();
    donations.dropEarlierTerms();
  }
}
