package dev.wisent.cluster.shard.resharding;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.shard.migration.ChangedKeys;
import dev.wisent.cluster.shard.migration.ForegroundPace;
import dev.wisent.cluster.shard.migration.RangeCopy;
import dev.wisent.cluster.shard.migration.RangeDocuments;
import dev.wisent.cluster.shard.migration.RecipientCalls;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.SessionCopies;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.OperationProgress;
import dev.wisent.operation.Operations;
import dev.wisent.operation.ReadPoint;
import dev.wisent.operation.ResultCursor;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** A shard that copies what it owns of a collection. Thread-safe. */
final class ReshardDonor {
  /** How often changes are sent before the coordinator is told that there are few. */
  private static final int ROUNDS_MAX = 100;

  /** In so many of them clients go first; if that is too slow, no longer. */
  private static final int PACED_ROUNDS_MAX = 10;

  private final ReshardingStore store;
  private final Ownership ownership;
  private final Operations documents;
  private final Definitions definitions;
  private final RecipientCalls calls;
  private final SessionCopies sessions;
  private final ReshardingFigures figures;
  private final WriteGate gate;
  private final ForegroundPace pace;
  private final Supplier<ReadPoint> states;
  private final Clock clock;
  private final Map<UUID, ReshardDonation> donations = new ConcurrentHashMap<>();

  ReshardDonor(
      ReshardingStore store,
      Ownership ownership,
      Operations documents,
      Definitions definitions,
      RecipientCalls calls,
      SessionCopies sessions,
      ReshardingFigures figures,
      WriteGate gate,
      ForegroundPace pace,
      Supplier<ReadPoint> states,
      Clock clock) {
    this.pace = pace;
    this.states = states;
    this.store = store;
    this.ownership = ownership;
    this.documents = documents;
    this.definitions = definitions;
    this.calls = calls;
    this.sessions = sessions;
    this.figures = figures;
    this.gate = gate;
    this.clock = clock;
  }

  private <T> T inTurn(OperationContext operation, ReshardDonation donation, Supplier<T> work) {
    operation.acquire(donation.lock());
    try {
      donation.running(operation);
      return work.get();
    } finally {
      donation.running(null);
      donation.lock().unlock();
    }
  }

  /**
   * Brings the documents to the recipients, but for what changes afterwards. Asked again it sends
   * what has changed; another primary begins anew.
   */
  void copy(OperationContext operation, Resharding resharding, BsonBuilder reply) {
    boolean done = false;
    while (!done) {
      ReshardDonation donation =
          donations.computeIfAbsent(
              resharding.id(),
              id ->
                  new ReshardDonation(
                      resharding,
                      gate.closings(),
                      documents,
                      calls,
                      sessions,
                      figures,
                      pace,
                      clock));
      var unused = donation.show(operation);
      done = inTurn(operation, donation, () -> copy(operation, donation, reply));
    }
  }

  /** Returns false where the copy is that of an earlier term: another one begins. */
  private boolean copy(OperationContext operation, ReshardDonation donation, BsonBuilder reply) {
    if (isOfEarlierTerm(donation)) {
      drop(donation);
      return false;
    }
    requireOpen(donation);
    try {
      if (!donation.isSteady()) {
        copyOnce(operation, donation);
      }
      catchUp(operation, donation);
    } catch (RuntimeException e) {
      drop(donation);
      throw e;
    }
    append(donation, reply);
    return true;
  }

  private static void append(ReshardDonation donation, BsonBuilder reply) {
    reply.appendInt64("documentsCopied", donation.documentsCopied());
    reply.appendInt64("bytesCopied", donation.bytesCopied());
    reply.appendInt64("changesSent", donation.changesSent());
    reply.appendInt64("millis", donation.millis());
  }

  /** What another primary has done meanwhile was not noted. */
  private boolean isOfEarlierTerm(ReshardDonation donation) {
    return donation.term() != gate.closings();
  }

  private static void requireOpen(ReshardDonation donation) {
    if (donation.isClosed()) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED,
          "the copy of " + donation.resharding().namespace() + " has ended on this shard");
    }
  }

  private void copyOnce(OperationContext operation, ReshardDonation donation) {
    Resharding resharding = donation.resharding();
    figures.started();
    OwnedRanges owned = owned(resharding);
    long attempt =
        1 + store.attempt(operation, ReshardingStore.DONORS, resharding.id(), resharding.donor());
    store.attempt(
        operation,
        ReshardingStore.DONORS,
        resharding.namespace(),
        resharding.id(),
        resharding.donor(),
        attempt);
    OperationContext part = store.partOf(operation);
    donation.begin(
        operation, owned, attempt, ChangedKeys.of(documents, resharding.namespace(), part));
    List<Function<OperationContext, ResultCursor>> sources = sources(resharding, owned);
    donation.expect(count(part, resharding, owned));
    OperationProgress progress = donation.show(operation);
    for (Function<OperationContext, ResultCursor> source : sources) {
      try (var copy = new RangeCopy(source, store.partOf(operation), states)) {
        donation.copy(operation, copy, progress);
      }
    }
    donation.sendAllSessions(operation);
    donation.steady();
    figures.copied(donation);
  }

  /** Null where this shard has the whole collection, which is not sharded. */
  private OwnedRanges owned(Resharding resharding) {
    OwnedRanges owned = ownership.tables().collection(resharding.namespace());
    CollectionInfo here = definitions.find(resharding.namespace());
    UUID uuid = owned != null ? owned.uuid() : here == null ? null : here.uuid();
    if (!resharding.uuid().equals(uuid)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
          "collection "
              + resharding.namespace()
              + " has changed: this shard does not know of the one to reshard");
    }
    return owned;
  }

  private List<Function<OperationContext, ResultCursor>> sources(
      Resharding resharding, OwnedRanges owned) {
    var sources = new ArrayList<Function<OperationContext, ResultCursor>>();
    if (owned == null) {
      FindRequest all = FindRequest.of(resharding.namespace(), RawDocument.EMPTY);
      sources.add(operation -> documents.find(operation, all));
      return sources;
    }
    for (ChunkRange range : owned.ranges()) {
      var found =
          new RangeDocuments(documents, definitions, resharding.namespace(), owned.key(), range);
      sources.add(found::open);
    }
    return sources;
  }

  private long count(OperationContext operation, Resharding resharding, OwnedRanges owned) {
    if (owned == null) {
      return documents.count(
          operation, new CountRequest(resharding.namespace(), RawDocument.EMPTY, 0, 0, null));
    }
    long count = 0;
    for (ChunkRange range : owned.ranges()) {
      count +=
          new RangeDocuments(documents, definitions, resharding.namespace(), owned.key(), range)
              .count(operation);
    }
    return count;
  }

  /** Sends changes until there are few: then it takes a moment to send the rest. */
  private void catchUp(OperationContext operation, ReshardDonation donation) {
    OperationContext part = store.partOf(operation);
    for (int round = 0;
        !donation.catchUp(part, round < PACED_ROUNDS_MAX) && round < ROUNDS_MAX;
        round++) {
      operation.checkNow();
    }
  }

  /**
   * Sends the last changes; no write of the collection is under way on any shard. The reply says
   * whether this primary knows of the copy, and how many documents have found no place: they are
   * tried again with the next request, when the other donors have sent their changes too.
   */
  void finish(OperationContext operation, UUID id, BsonBuilder reply) {
    ReshardDonation donation = donations.get(id);
    if (donation == null) {
      reply.appendBoolean("known", false);
      return;
    }
    inTurn(
        operation,
        donation,
        () -> {
          if (donation.isSteady()) {
            donation.blocking();
            var unused = donation.show(operation);
            OperationContext part = store.partOf(operation);
            while (!donation.catchUp(part, false)) {
              operation.checkNow();
            }
            donation.resendConflicts(part);
            donation.sendSessions(part);
          }
          // After all is read: the leadership may have been away meanwhile.
          boolean known = donation.isSteady() && !isOfEarlierTerm(donation);
          reply.appendBoolean("known", known);
          if (known) {
            reply.appendInt32("conflicts", donation.conflicts());
            reply.appendString("conflict", donation.conflict());
            append(donation, reply);
          }
          return null;
        });
  }

  /** Ends a copy, whatever came of it. */
  void end(OperationContext operation, UUID id) {
    ReshardDonation donation = donations.get(id);
    if (donation == null) {
      return;
    }
    OperationContext running = donation.running();
    if (running != null) {
      running.kill(ErrorCode.INTERRUPTED);
    }
    inTurn(
        operation,
        donation,
        () -> {
          drop(donation);
          return null;
        });
  }

  private void drop(ReshardDonation donation) {
    donations.remove(donation.resharding().id(), donation);
    donation.close();
  }

  /**
   * Sends what has changed of copies that wait for other donors, and forgets those of earlier
   * terms.
   */
  void follow(OperationContext operation) {
    for (ReshardDonation donation : donations.values()) {
      if (donation.lock().tryLock()) {
        try {
          if (isOfEarlierTerm(donation)) {
            drop(donation);
          } else if (donation.isSteady()) {
            followOne(operation, donation);
          }
        } finally {
          donation.lock().unlock();
        }
      }
    }
  }

  /** Where that fails, the next request of the coordinator begins anew and says why. */
  private void followOne(OperationContext operation, ReshardDonation donation) {
    try {
      catchUp(operation, donation);
    } catch (CommandException e) {
      drop(donation);
    }
  }
}
