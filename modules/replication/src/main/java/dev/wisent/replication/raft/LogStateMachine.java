package dev.wisent.replication.raft;

import dev.wisent.base.Scheduler;
import dev.wisent.base.log.Log;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.LogApplier.Applied;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.LifeCycle;

/**
 * What Ratis applies entries to. To Ratis, what the store has on disk is a snapshot: the log goes
 * on behind it after a restart, and a member that needs entries from before it fetches a
 * checkpoint.
 */
final class LogStateMachine extends BaseStateMachine {
  private final LogApplier applier;
  private final RaftCommitLog commits;
  private final ClusterClock clock;
  private final ClientId ownClient;
  private final LogEvents events;
  private final ApplyHold hold;
  private final Scheduler scheduler;
  private final Log log;

  /** Held while an entry is written or contents are replaced; never while an entry waits. */
  private final Object applying = new Object();

  private volatile TermIndex applied = TermIndex.INITIAL_VALUE;

  private volatile boolean logFailed;

  /** Whether entries that wait are not to be applied any more. */
  private volatile boolean stopped;

  /** Whether an entry was left for the next start, and so are all behind it. Of Ratis' thread. */
  private boolean leaving;

  /** What a crash leaves. */
  private volatile LogPosition durable = LogPosition.START;

  private final CatchUp catchUp;

  LogStateMachine(
      LogApplier applier,
      RaftCommitLog commits,
      ClusterClock clock,
      ClientId ownClient,
      LogEvents events,
      ApplyHold hold,
      Seed seed,
      Scheduler scheduler,
      Log log) {
    this.applier = applier;
    this.commits = commits;
    this.clock = clock;
    this.ownClient = ownClient;
    this.events = events;
    this.hold = hold;
    this.scheduler = scheduler;
    this.log = log;
    this.catchUp = new CatchUp(seed, applier, events, scheduler, log);
  }

  /**
   * Applies what readers had seen and a crash took back, as far as the log here has it. To be
   * called before a server uses this machine.
   */
  void replay(LogReplay source) throws IOException {
    synchronized (applying) {
      if (catchUp.isUnproven()) {
        return;
      }
      applied = termIndex(applier.applied());
      if (isRecovered()) {
        return;
      }
      long from = applied.getIndex();
      source.read(from, catchUp.target(), this::replay);
      catchUp.replayed(from, applied);
    }
  }

  private void replay(LogEntryProto entry) {
    if (entry.hasStateMachineLogEntry()) {
      apply(entry);
    } else {
      notifyTermIndexUpdated(entry.getTerm(), entry.getIndex());
    }
  }

  /**
   * Whether the store is as new as readers have seen it. A leader can apply an entry that most of
   * the others have on disk before it has it on its own: after a crash the next leader brings it. A
   * node that joined with older data has to be as new as the group was then.
   */
  boolean isRecovered() {
    return catchUp.isDone(applied);
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    getLifeCycle().startAndTransition(this::load);
  }

  private void load() {
    LogPosition flushed = applier.flush();
    // To Ratis, data that is not proven is none: the leader tells the node to get a checkpoint.
    durable = catchUp.isUnproven() ? LogPosition.START : flushed;
    setApplied(termIndex(catchUp.isUnproven() ? LogPosition.START : applier.applied()));
  }

  private void setApplied(TermIndex position) {
    applied = position;
    catchUp.applied(position);
  }

  @Override
  public void pause() {
    getLifeCycle().transition(LifeCycle.State.PAUSING);
    getLifeCycle().transition(LifeCycle.State.PAUSED);
  }

  @Override
  public void reinitialize() {
    synchronized (applying) {
      load();
    }
    if (getLifeCycleState() == LifeCycle.State.PAUSED) {
      getLifeCycle().transition(LifeCycle.State.STARTING);
      getLifeCycle().transition(LifeCycle.State.RUNNING);
    }
  }

  @Override
  public TermIndex getLastAppliedTermIndex() {
    return applied;
  }

  @Override
  public SnapshotInfo getLatestSnapshot() {
    LogPosition position = durable;
    return position.index() < 0
        ? null
        : new FileListSnapshotInfo(List.of(), position.term(), position.index());
  }

  /** Whose entries this node has proposed. */
  ClientId ownClient() {
    return ownClient;
  }

  /** Returns when no entry is being written. */
  @SuppressWarnings("EmptyBlock") // To have had the lock is enough.
  void awaitWritten() {
    synchronized (applying) {
      // Nothing to do.
    }
  }

  /**
   * Entries that wait to be applied are not, but after the next start, and what the leader is just
   * asked for has no effect on the store.
   */
  void stop() {
    stopped = true;
  }

  /** Makes everything durable that is applied; returns up to where. */
  LogPosition flush() {
    LogPosition position = applier.flush();
    synchronized (applying) {
      if (!catchUp.isUnproven() && position.compareTo(durable) > 0) {
        durable = position;
      }
    }
    return position;
  }

  @Override
  public long takeSnapshot() {
    return flush().index();
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    // Contents that were fetched meanwhile may have it already.
    if (!leaving && entry.getIndex() > applied.getIndex()) {
      apply(entry);
    }
    events.passed(entry.getSerializedSize());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  private void apply(LogEntryProto entry) {
    var proto = entry.getStateMachineLogEntry();
    boolean mine = ownClient.toByteString().equals(proto.getClientId());
    Proposal proposal = mine ? commits.claim(proto.getCallId()) : null;
    try {
      EntryFormat.Entry content =
          proposal != null
              ? proposal.entry()
              : EntryFormat.decode(proto.getLogData().asReadOnlyByteBuffer());
      // Evaluated in an earlier term of the same node: others have written in between. All members
      // see the same two terms, so all of them leave it out.
      boolean valid = content.term() == entry.getTerm();
      if (valid && content.lastTimestamp() != 0) {
        applier.reaching(content.lastTimestamp());
      }
      writeWhenDue(valid ? content.mutations() : List.of(), proposal != null, entry);
      if (valid) {
        clock.advanceTo(content.lastTimestamp());
      }
      events.applied();
      if (proposal != null && valid) {
        proposal.applied();
      } else if (proposal != null) {
        proposal.failed(RaftFuture.notLeader());
      }
    } catch (RuntimeException e) {
      if (stopped && isClosed(e)) {
        // Thrown, it would have the server close itself while it is being closed.
        leaving = true;
        if (proposal != null) {
          proposal.failed(RaftFuture.leadershipLost());
        }
        return;
      }
      if (!isClosed(e)) {
        log.error(7_100_001, "Cannot apply an entry of the log", e, "index", entry.getIndex());
        events.cannotApply(e);
      }
      if (proposal != null) {
        proposal.failed(failure(e));
      }
      throw e;
    }
  }

  /**
   * What those are told who wait for an entry that this node could not apply, because its disk is
   * full, say. The log has it, so others apply it: who asks again is answered by the next leader.
   */
  private static RuntimeException failure(RuntimeException why) {
    return isClosed(why) ? why : RaftFuture.leadershipLost();
  }

  private static boolean isClosed(RuntimeException why) {
    return why instanceof StorageException fault && fault.kind() == Kind.CLOSED;
  }

  private void writeWhenDue(List<Mutation> mutations, boolean local, LogEntryProto entry) {
    do {
      applier.awaitDue(mutations, () -> stopped);
      hold.awaitReleased(() -> stopped);
    } while (!write(mutations, local, entry));
  }

  /** False if entries are not to be written just now. */
  private boolean write(List<Mutation> mutations, boolean local, LogEntryProto entry) {
    synchronized (applying) {
      if (hold.isSet()) {
        return false;
      }
      if (entry.getIndex() > applied.getIndex()) {
        writeLocked(mutations, local, entry);
      }
      return true;
    }
  }

  private void writeLocked(List<Mutation> mutations, boolean local, LogEntryProto entry) {
    List<Applied> changes = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      if (!mutation.isEmpty()) {
        changes.add(new Applied(mutation, local));
      }
    }
    applier.apply(changes, new LogPosition(entry.getTerm(), entry.getIndex()));
    setApplied(TermIndex.valueOf(entry));
  }

  /** Entries of Ratis' own: there is nothing to write, and after a restart they come again. */
  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    synchronized (applying) {
      if (!leaving && index > applied.getIndex()) {
        setApplied(TermIndex.valueOf(term, index));
      }
    }
  }

  /**
   * Ratis refuses all further entries then, but goes on to run: as a follower it just stays behind.
   */
  @Override
  public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
    if (!logFailed) {
      log.error(7_100_011, "Cannot write to the replicated log", cause);
    }
    logFailed = true;
    events.cannotAppend(cause);
  }

  boolean hasLogFailed() {
    return logFailed;
  }

  @Override
  public void notifyLeaderReady() {
    events.leadBegins();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    events.leadEnds();
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
    events.leaderChanged();
  }

  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstAvailable) {
    return CompletableFuture.supplyAsync(
        () -> install(role), task -> scheduler.run("install-snapshot", task));
  }

  private TermIndex install(RoleInfoProto role) {
    try {
      OptionalLong proof = catchUp.isUnproven() ? catchUp.ask(role) : OptionalLong.empty();
      Path checkpoint = proof.isPresent() ? null : events.fetchCheckpoint(role);
      synchronized (applying) {
        if (stopped) {
          throw new StorageException(Kind.CLOSED, "Another start of the log takes care of it");
        }
        if (checkpoint == null) {
          catchUp.proven(proof.getAsLong());
          reinitialize();
          return applied;
        }
        if (hold.isSet()) {
          throw new StorageException(Kind.IO, "The store is to stay as it is");
        }
        applier.install(checkpoint);
        catchUp.replaced();
        load();
        log.info(7_100_002, "Installed a checkpoint of the leader", "position", applied);
        events.installed(null);
        return applied;
      }
    } catch (IOException | RuntimeException e) {
      events.installed(e);
      log.warn(7_100_003, "Cannot install a checkpoint of the leader", "error", e.toString());
      // Not available now: Ratis asks again.
      return null;
    }
  }

  @Override
  public CompletableFuture<Message> queryStale(Message request, long minIndex) {
    return events.serve(request);
  }

  private static TermIndex termIndex(LogPosition position) {
    return position.index() < 0
        ? TermIndex.INITIAL_VALUE
        : TermIndex.valueOf(position.term(), position.index());
  }
}
