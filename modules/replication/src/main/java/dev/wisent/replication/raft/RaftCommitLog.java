package dev.wisent.replication.raft;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoop;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.LogTarget.Outcome;
import dev.wisent.replication.raft.OplogTimestamps.Stamped;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The commit log of a member of a replica set. Mutations are queued; one thread makes entries of
 * them, each of everything that has come while the entries before were on their way, and proposes
 * them in order. The thread that applies an entry ends the waiting.
 *
 * <p>A term begins when this node leads and has applied everything of earlier terms, and it ends
 * when it leads no more; all who wait then learn that the outcome is unknown.
 */
final class RaftCommitLog implements CommitLog {
  /** Larger entries are not shared; more would only delay those who come first. */
  private static final int SHARED_BYTES_MAX = 1 << 20;

  private static final long TELL_MILLIS = 2;

  /**
   * To tell takes more messages than an entry. Where entries have come this soon after one another,
   * the next one that does so tells it in time, and spares them.
   */
  private static final long STREAM_MILLIS = 8;

  private static final long TELL_IN_STREAM_MILLIS = 10;

  private static final long AGAIN_MILLIS = 15;
  private static final int TELLINGS = 2;

  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final Mutation NOTHING = new MutationBuilder(16).build();

  private record ActiveTerm(long term, LogTarget target) {}

  private final int entriesInFlight;
  private final int entryBytesMax;
  private final OplogTimestamps stamp;
  private final LinkedBlockingQueue<RaftFuture> queue = new LinkedBlockingQueue<>();
  private final Map<Long, Proposal> proposals = new ConcurrentHashMap<>();
  private final Semaphore inFlight;
  private final AtomicLong lastCall = new AtomicLong();
  private final AtomicLong lastPosition = new AtomicLong();
  private final Clock clock;
  private final BackgroundLoop proposer;
  private volatile ActiveTerm active;

  /** The term in which everything is evaluated that is submitted. */
  private volatile long evaluationTerm = -1;

  private volatile boolean closed;

  /** How often the others are still to be told what is committed. Only for the proposer. */
  private int toTell;

  /** Only for the proposer. */
  private long tellMillis = TELL_MILLIS;

  /** When the last entry was proposed. Only for the proposer. */
  private long lastNanos;

  RaftCommitLog(
      int entriesInFlight,
      int entryBytesMax,
      ClusterClock clock,
      Clock wall,
      BackgroundLoops loops) {
    this.entriesInFlight = entriesInFlight;
    this.entryBytesMax = entryBytesMax;
    this.stamp = new OplogTimestamps(clock, wall);
    this.clock = wall;
    this.inFlight = new Semaphore(entriesInFlight);
    this.lastNanos = wall.monotonicNanos();
    this.proposer = loops.loop("wisent-proposer", this::proposeNext);
    proposer.start();
  }

  @Override
  public boolean keepsOplog() {
    return true;
  }

  @Override
  public long mutationBytesMax() {
    return (long) entryBytesMax - EntryFormat.HEADER_BYTES - EntryFormat.MUTATION_OVERHEAD_BYTES;
  }

  @Override
  public CommitFuture submit(Mutation mutation) {
    // Ratis fails an entry that is too large, and what becomes of that one is unknown: it would end
    // this term, and then that of the next leader, which the client asks again.
    long bytes = OplogSlots.sizeBytes(mutation);
    if (bytes > mutationBytesMax()) {
      throw new StorageException(
          Kind.TOO_LARGE,
          "A change of "
              + bytes
              + " bytes is too large for the log, which takes "
              + mutationBytesMax());
    }
    if (mutation.isEmpty() && mutation.oplogEntries().isEmpty()) {
      RaftFuture future = new RaftFuture(mutation, bytes, 0, lastPosition.get());
      future.applied(0);
      return future;
    }
    return enqueue(mutation, bytes, evaluationTerm);
  }

  @Override
  public void beginTerm(long term) {
    evaluationTerm = term;
  }

  /** For what is not evaluated at all. */
  private RaftFuture enqueueNothing() {
    ActiveTerm current = active;
    return enqueue(NOTHING, OplogSlots.sizeBytes(NOTHING), current == null ? -1 : current.term);
  }

  private RaftFuture enqueue(Mutation mutation, long bytes, long evaluatedIn) {
    ActiveTerm current = active;
    if (current == null || current.term != evaluatedIn) {
      throw closed ? closedException() : RaftFuture.notLeader();
    }
    var future = new RaftFuture(mutation, bytes, current.term, lastPosition.incrementAndGet());
    queue.add(future);
    if (active != current) {
      // Its end may have been before this came into the queue.
      failQueued();
    }
    return future;
  }

  /** An empty entry that begins now: where it is applied, this node leads. */
  CommitFuture confirm() {
    return enqueueNothing();
  }

  /** Everything that is acknowledged is on disk; waits for what is not yet acknowledged. */
  @Override
  public void sync() {
    if (active != null) {
      enqueueNothing().awaitDurable();
    }
  }

  /** From now on this node evaluates writes. */
  void leadershipBegins(long term, LogTarget target) {
    active = new ActiveTerm(term, target);
  }

  /** Whether writes are accepted in this term; false before those who wait are told so. */
  boolean acceptsWritesOf(long term) {
    ActiveTerm current = active;
    return current != null && current.term == term;
  }

  /** From now on it does not; all waits end. */
  void leadershipEnds() {
    active = null;
    for (Long call : proposals.keySet()) {
      Proposal proposal = proposals.remove(call);
      if (proposal != null) {
        proposal.giveUp(RaftFuture.leadershipLost());
      }
    }
    failQueued();
  }

  private void failQueued() {
    // In place, for the others have to stay in their order.
    queue.removeIf(
        future -> {
          // Read anew: a later term may begin, and its futures are about to be proposed.
          ActiveTerm current = active;
          boolean over = current == null || future.term() != current.term;
          if (over) {
            future.fail(RaftFuture.notLeader());
          }
          return over;
        });
  }

  /** The proposal of an entry that is about to be applied, if those who wait are still there. */
  Proposal claim(long callId) {
    Proposal proposal = proposals.remove(callId);
    return proposal != null && proposal.claim() ? proposal : null;
  }

  /**
   * The others apply an entry when they hear that it is committed: with the next one, or if there
   * is none for a moment, because they are told. Twice, for the slowest may not have it the first
   * time.
   */
  private void proposeNext() throws InterruptedException {
    RaftFuture first =
        toTell > 0
            ? queue.poll(toTell == TELLINGS ? tellMillis : AGAIN_MILLIS, TimeUnit.MILLISECONDS)
            : queue.take();
    if (first != null) {
      proposeWith(first);
      toTell = TELLINGS;
      long nanos = clock.monotonicNanos();
      boolean stream = nanos - lastNanos < TimeUnit.MILLISECONDS.toNanos(STREAM_MILLIS);
      tellMillis = stream ? TELL_IN_STREAM_MILLIS : TELL_MILLIS;
      lastNanos = nanos;
    } else if (inFlight.availablePermits() >= entriesInFlight) {
      toTell--;
      publishCommitIndex();
    }
  }

  private void proposeWith(RaftFuture first) throws InterruptedException {
    try {
      inFlight.acquire();
    } catch (InterruptedException e) {
      first.fail(RaftFuture.notLeader());
      throw e;
    }
    propose(gather(first));
  }

  private void publishCommitIndex() {
    ActiveTerm current = active;
    if (current != null) {
      current.target.publishCommitIndex();
    }
  }

  private List<RaftFuture> gather(RaftFuture first) {
    List<RaftFuture> futures = new ArrayList<>();
    futures.add(first);
    long bytes = EntryFormat.HEADER_BYTES + entryBytes(first);
    while (true) {
      RaftFuture next = queue.peek();
      if (next == null || bytes + entryBytes(next) > Math.min(SHARED_BYTES_MAX, entryBytesMax)) {
        return futures;
      }
      // Others only take everything out at the end of a term, when there is nothing to propose.
      next = queue.poll();
      if (next == null) {
        return futures;
      }
      bytes += entryBytes(next);
      futures.add(next);
    }
  }

  /** What a mutation adds to an entry. */
  private static long entryBytes(RaftFuture future) {
    return EntryFormat.MUTATION_OVERHEAD_BYTES + future.mutationBytes();
  }

  private void propose(List<RaftFuture> futures) {
    ActiveTerm current = active;
    Proposal proposal;
    ByteString entry;
    try {
      proposal = proposal(futures, current);
      if (proposal == null) {
        inFlight.release();
        return;
      }
      entry = EntryFormat.encode(proposal.entry());
    } catch (RuntimeException | Error e) {
      inFlight.release();
      endLeadership(
          current, () -> futures.forEach(future -> future.fail(RaftFuture.leadershipLost())));
      throw e;
    }
    while (!append(current, proposal, entry)) {
      // Leadership is being handed over, or there is too much on the way: for a moment.
      LockSupport.parkNanos(RETRY_NANOS);
    }
  }

  /** Null if there is nothing to propose. */
  private Proposal proposal(List<RaftFuture> futures, ActiveTerm current) {
    List<RaftFuture> valid = new ArrayList<>(futures.size());
    for (RaftFuture future : futures) {
      if (current == null || future.term() != current.term) {
        future.fail(RaftFuture.notLeader());
      } else {
        valid.add(future);
      }
    }
    if (valid.isEmpty()) {
      return null;
    }
    List<Stamped> stamped =
        stamp.stamp(valid.stream().map(RaftFuture::mutation).toList(), current.term);
    return new Proposal(current.term, valid, stamped);
  }

  /**
   * Appends an entry; false if it was refused and has to be tried again, before all later ones: a
   * mutation may have been made from the outcome of another that was submitted before.
   */
  private boolean append(ActiveTerm current, Proposal proposal, ByteString entry) {
    long call = lastCall.incrementAndGet();
    proposals.put(call, proposal);
    if (active != current) {
      proposals.remove(call);
      proposal.giveUp(RaftFuture.notLeader());
      inFlight.release();
      return true;
    }
    CompletableFuture<Outcome> outcome;
    try {
      outcome = current.target.append(call, entry);
    } catch (RuntimeException | Error e) {
      ended(call, current, false);
      throw e;
    }
    if (outcome.getNow(Outcome.APPLIED) == Outcome.REFUSED) {
      // Where it is not there any more, the term has ended and there are no waiters.
      if (proposals.remove(call) != null) {
        return false;
      }
      inFlight.release();
      return true;
    }
    var unused =
        outcome.whenComplete(
            (how, error) -> ended(call, current, error == null && how == Outcome.APPLIED));
    return true;
  }

  /** An entry of unknown outcome ends the term: others have been made from its outcome. */
  private void ended(long call, ActiveTerm its, boolean applied) {
    inFlight.release();
    Proposal proposal = applied ? null : proposals.remove(call);
    if (proposal == null) {
      return;
    }
    endLeadership(its, () -> proposal.giveUp(RaftFuture.leadershipLost()));
  }

  /**
   * Ends a term in which a mutation failed: later ones may have been made from its outcome.
   *
   * @param tell tells those who wait for it, when the term is over
   */
  private void endLeadership(ActiveTerm its, Runnable tell) {
    boolean current = its != null && active == its;
    if (current) {
      leadershipEnds();
    }
    tell.run();
    if (current) {
      its.target.resign();
    }
  }

  private static StorageException closedException() {
    return new StorageException(Kind.CLOSED, "The log is closed");
  }

  @Override
  public void close() {
    closed = true;
    leadershipEnds();
    proposer.interrupt();
    inFlight.release(entriesInFlight);
  }
}
