package dev.wisent.replication.raft;

import java.util.Comparator;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.apache.ratis.util.TimeDuration;
import org.apache.ratis.util.Timestamp;

/**
 * Keeps a follower in the same process as far as its leader. One call with entries is under way at
 * a time, and beside it one heartbeat: a follower that takes long to write still confirms its
 * leader. All state belongs to the thread of the appender, which replies are handed to.
 */
final class InProcessAppender extends LogAppenderBase {
  /** How long a follower that does not run is left alone. */
  private static final int FAILED_MILLIS = 50;

  /** How long a follower that installs a checkpoint is left alone. */
  private static final int INSTALLING_MILLIS = 5;

  private final AtomicLong lastCall = new AtomicLong();
  private final Queue<Runnable> replies = new ConcurrentLinkedQueue<>();
  private final TimeDuration timeout;

  /** Has permits if there may be something to do. Ratis' own signal is lost without a waiter. */
  private final Semaphore signals = new Semaphore(0);

  /** The calls under way; null if none is. */
  private volatile Sent entries; // also read while the leader decides what to send

  private Sent heartbeat;
  private Sent notification;

  /** Until when the follower is left alone; null if it is not. */
  private Timestamp pauseEnd;

  /** A call, by when it was made. */
  private static final class Sent {
    final Timestamp time = Timestamp.currentTime();
    final long firstIndex;

    Sent(long firstIndex) {
      this.firstIndex = firstIndex;
    }
  }

  InProcessAppender(RaftServer.Division server, LeaderState state, FollowerInfo follower) {
    super(server, state, follower);
    this.timeout = RaftServerConfigKeys.Rpc.requestTimeout(server.getRaftServer().getProperties());
  }

  @Override
  public InProcessServer getServerRpc() {
    return (InProcessServer) super.getServerRpc();
  }

  @Override
  public long getCallId() {
    return lastCall.get();
  }

  @Override
  public Comparator<Long> getCallIdComparator() {
    return Long::compare;
  }

  /** Entries that are under way are not to be sent. */
  @Override
  public boolean hasAppendEntries() {
    return entries == null && super.hasAppendEntries();
  }

  @Override
  public boolean hasPendingDataRequests() {
    return entries != null;
  }

  @Override
  public void run() throws InterruptedException, RaftLogIOException {
    while (isRunning()) {
      takeReplies();
      giveUpLost();
      boolean sent = !isPaused() && send();
      getLeaderState().checkHealth(getFollower());
      if (!sent) {
        await();
      }
    }
  }

  @Override
  public void notifyLogAppender() {
    signals.release();
  }

  /** Waits for a signal, or until there is something to do without one. */
  private void await() throws InterruptedException {
    long millis = getHeartbeatWaitTimeMs();
    if (isPaused()) {
      millis = pauseEnd.elapsedTimeMs() * -1;
    } else if (millis <= 0) {
      millis = FAILED_MILLIS; // The answer to the heartbeat before is a signal.
    }
    signals.tryAcquire(Math.max(1, millis), TimeUnit.MILLISECONDS);
    signals.drainPermits();
  }

  private void takeReplies() {
    for (Runnable reply = replies.poll(); reply != null; reply = replies.poll()) {
      reply.run();
    }
  }

  /** A server that is closed may never answer. What it says later still counts. */
  private void giveUpLost() {
    if (isLost(entries)) {
      entries = null;
    }
    if (isLost(heartbeat)) {
      heartbeat = null;
    }
    if (isLost(notification)) {
      notification = null;
    }
  }

  private boolean isLost(Sent sent) {
    return sent != null && sent.time.elapsedTime().compareTo(timeout) > 0;
  }

  private boolean isPaused() {
    return pauseEnd != null && pauseEnd.elapsedTimeMs() < 0;
  }

  /** Sends what is due; returns whether there was anything that could be sent. */
  private boolean send() throws RaftLogIOException {
    if (getHeartbeatWaitTimeMs() <= 0) {
      return heartbeat == null && sendHeartbeat();
    }
    if (notification != null || entries != null) {
      return false;
    }
    TermIndex firstAvailable = shouldNotifyToInstallSnapshot();
    if (firstAvailable != null) {
      sendNotification(newInstallSnapshotNotificationRequest(firstAvailable));
      return true;
    }
    return hasAppendEntries() && sendEntries();
  }

  private boolean sendHeartbeat() throws RaftLogIOException {
    // Before the request is made: who asks for a heartbeat from now on gets another one.
    resetHeartbeatTrigger();
    send(newAppendEntriesRequest(lastCall.getAndIncrement(), true));
    return true;
  }

  private boolean sendEntries() throws RaftLogIOException {
    AppendEntriesRequestProto request = newAppendEntriesRequest(lastCall.getAndIncrement(), false);
    if (request == null) {
      return false;
    }
    send(request);
    return true;
  }

  private void send(AppendEntriesRequestProto request) {
    boolean empty = request.getEntriesCount() == 0;
    var sent = new Sent(empty ? RaftLog.INVALID_LOG_INDEX : request.getEntries(0).getIndex());
    if (empty) {
      heartbeat = sent;
    } else {
      entries = sent;
    }
    getFollower().updateLastRpcSendTime(empty);
    var unused =
        getServerRpc()
            .call(getFollowerId(), follower -> follower.appendEntriesAsync(request))
            .whenComplete((reply, error) -> handOver(() -> appended(sent, reply, error)));
  }

  private void handOver(Runnable reply) {
    replies.add(reply);
    notifyLogAppender();
  }

  private void appended(Sent sent, AppendEntriesReplyProto reply, Throwable error) {
    boolean expected = sent == entries || sent == heartbeat;
    if (sent == entries) {
      entries = null;
    } else if (sent == heartbeat) {
      heartbeat = null;
    }
    if (error != null) {
      pause(FAILED_MILLIS);
      return;
    }
    getFollower().updateLastRespondedAppendEntriesSendTime(sent.time);
    getFollower().updateLastRpcResponseTime();
    switch (reply.getResult()) {
      case SUCCESS -> succeeded(reply);
      case NOT_LEADER -> {
        if (onFollowerTerm(reply.getTerm())) {
          return;
        }
        pause(FAILED_MILLIS);
      }
      case INCONSISTENCY -> {
        if (expected && entries == null) {
          long next = getNextIndexForInconsistency(sent.firstIndex, reply.getNextIndex());
          getFollower().setNextIndex(next);
        }
      }
      default -> throw new IllegalStateException("Unexpected reply: " + reply.getResult());
    }
    getLeaderState().onAppendEntriesReply(this, reply);
  }

  private void succeeded(AppendEntriesReplyProto reply) {
    getLeaderState().onFollowerCommitIndex(getFollower(), reply.getFollowerCommit());
    if (getFollower().updateMatchIndex(reply.getMatchIndex())) {
      getFollower().updateNextIndex(reply.getMatchIndex() + 1);
      getLeaderState().onFollowerSuccessAppendEntries(getFollower());
    }
  }

  /** Has the follower get a checkpoint, or say how far it is with it. */
  private void sendNotification(InstallSnapshotRequestProto request) {
    var sent = new Sent(RaftLog.INVALID_LOG_INDEX);
    notification = sent;
    getFollower().updateLastRpcSendTime(false);
    var unused =
        getServerRpc()
            .call(
                getFollowerId(),
                follower -> CompletableFuture.completedFuture(follower.installSnapshot(request)))
            .whenComplete((reply, error) -> handOver(() -> notified(sent, reply, error)));
  }

  private void notified(Sent sent, InstallSnapshotReplyProto reply, Throwable error) {
    boolean expected = sent == notification;
    if (expected) {
      notification = null;
    }
    if (error != null) {
      pause(FAILED_MILLIS);
      return;
    }
    getFollower().updateLastRpcResponseTime();
    switch (reply.getResult()) {
      case SUCCESS -> getFollower().setAttemptedToInstallSnapshot();
      case IN_PROGRESS, SNAPSHOT_EXPIRED -> pause(INSTALLING_MILLIS);
      case NOT_LEADER -> {
        onFollowerTerm(reply.getTerm());
        pause(FAILED_MILLIS);
      }
      case SNAPSHOT_UNAVAILABLE -> {
        getFollower().setAttemptedToInstallSnapshot();
        tellInstalled(InstallSnapshotResult.SNAPSHOT_UNAVAILABLE, RaftLog.INVALID_LOG_INDEX);
        pause(FAILED_MILLIS);
      }
      case ALREADY_INSTALLED, SNAPSHOT_INSTALLED -> {
        if (expected) {
          installed(reply);
        }
      }
      default -> throw new IllegalStateException("Unexpected reply: " + reply.getResult());
    }
  }

  private void installed(InstallSnapshotReplyProto reply) {
    long index = reply.getSnapshotIndex();
    getFollower().setSnapshotIndex(index);
    getFollower().setAttemptedToInstallSnapshot();
    getLeaderState().onFollowerCommitIndex(getFollower(), index);
    getFollower().updateNextIndex(index + 1);
    boolean here = reply.getResult() == InstallSnapshotResult.SNAPSHOT_INSTALLED;
    if (here && index + 1 >= getRaftLog().getStartIndex()) {
      tellInstalled(InstallSnapshotResult.SUCCESS, index);
    }
    // One that is being added may have all it needs. Ratis would look again after 1,200 ms only.
    getLeaderState().onFollowerSuccessAppendEntries(getFollower());
  }

  private void tellInstalled(InstallSnapshotResult result, long index) {
    getServer()
        .getStateMachine()
        .event()
        .notifySnapshotInstalled(result, index, getFollower().getPeer());
  }

  private void pause(int millis) {
    pauseEnd = Timestamp.currentTime().addTimeMs(millis);
  }
}
