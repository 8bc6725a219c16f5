package dev.wisent.database;

import dev.wisent.database.oplog.OplogSlots;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import dev.wisent.storage.Mutation;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Two databases on one log, of which one at most leads: what is committed there is applied to the
 * other one by a thread of its own, several mutations in one step now and then. There is no network
 * and no majority: a mutation is committed as soon as it is in the log.
 */
public final class ReplicatedPair implements AutoCloseable {
  private static final int HEADER_BYTES = 12;
  private static final int COUNT_OFFSET = 8;

  private final SplittableRandom random;
  private final boolean oplog;
  private final List<Entry> entries = new ArrayList<>(); // guarded by this
  private final Member first;
  private final Member second;
  private Member leader; // guarded by this
  private long term; // guarded by this
  private long seconds; // guarded by this
  private Loss loss = Loss.NONE; // guarded by this
  private boolean closed; // guarded by this

  private final AtomicReference<Runnable> submitted = new AtomicReference<>(() -> {});

  /** Run by who applies, after the store has what others wrote and before it is published. */
  private volatile Runnable written = () -> {};

  private record Entry(long term, Mutation mutation) {}

  /** What happens to the next mutation that is submitted. */
  public enum Loss {
    /** It is committed. */
    NONE,
    /** Leadership is lost before the mutation is in the log: it is never applied. */
    WITHOUT_MUTATION,
    /** Leadership is lost, but the mutation has come so far that all members apply it. */
    WITH_MUTATION
  }

  public ReplicatedPair(Path directory, long seed) {
    this(directory, seed, false);
  }

  /** One whose log keeps an oplog, with a second for each mutation. */
  public static ReplicatedPair withOplog(Path directory, long seed) {
    return new ReplicatedPair(directory, seed, true);
  }

  private ReplicatedPair(Path directory, long seed, boolean oplog) {
    this.random = new SplittableRandom(seed);
    this.oplog = oplog;
    this.first = new Member(directory.resolve("first"));
    this.second = new Member(directory.resolve("second"));
    lead(first);
  }

  /** Run once by the thread that writes, after the next mutation of the leader is applied there. */
  public void whenSubmitted(Runnable action) {
    submitted.set(action);
  }

  public void whenWritten(Runnable action) {
    written = action;
  }

  /** One of the two. */
  public final class Member implements CommitLog {
    private final TestDatabase database;
    private final Thread applier;
    private long begun; // guarded by the pair
    private int applied; // guarded by the pair
    private Throwable failure; // guarded by the pair

    private Member(Path directory) {
      this.database = TestDatabase.open(directory, below -> this);
      this.applier = Thread.ofPlatform().daemon().name("applier").start(this::applyAll);
    }

    public TestDatabase database() {
      return database;
    }

    @Override
    public boolean isReplicated() {
      return true;
    }

    @Override
    public void beginTerm(long newTerm) {
      synchronized (ReplicatedPair.this) {
        begun = newTerm;
      }
    }

    @Override
    public boolean keepsOplog() {
      return oplog;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      synchronized (ReplicatedPair.this) {
        if (leader != this || begun != term) {
          throw new LeadershipException(Kind.NOT_LEADER, "not primary");
        }
        seconds++;
        var slots = new OplogSlots((seconds << 32) | 1, term, seconds * 1000);
        Mutation stamped = slots.applyTo(mutation);
        if (loss != Loss.NONE) {
          lose(stamped);
        }
        entries.add(new Entry(term, stamped));
        applied = entries.size();
        ReplicatedPair.this.notifyAll();
        CommitFuture commit = database.log().submit(stamped);
        submitted.getAndSet(() -> {}).run();
        return new OplogKeepingLog.Stamped(commit, slots.lastOf(mutation));
      }
    }

    private void lose(Mutation mutation) {
      if (loss == Loss.WITH_MUTATION) {
        entries.add(new Entry(term, mutation));
      }
      loss = Loss.NONE;
      leader = null;
      ReplicatedPair.this.notifyAll();
      throw new LeadershipException(Kind.LEADERSHIP_LOST, "leadership is lost");
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}

    private void applyAll() {
      try {
        List<Entry> next;
        while (!(next = nextEntries()).isEmpty()) {
          List<Mutation> mutations = next.stream().map(Entry::mutation).toList();
          database
              .database()
              .leadership()
              .apply(
                  mutations,
                  next.getFirst().term(),
                  () -> {
                    database.log().submit(together(mutations)).awaitApplied();
                    written.run();
                  });
          synchronized (ReplicatedPair.this) {
            applied += next.size();
            ReplicatedPair.this.notifyAll();
          }
        }
      } catch (Throwable e) {
        synchronized (ReplicatedPair.this) {
          failure = e;
          ReplicatedPair.this.notifyAll();
        }
      }
    }

    /** Those to be applied in one step; none at the end. All of them are of one term. */
    private List<Entry> nextEntries() throws InterruptedException {
      synchronized (ReplicatedPair.this) {
        while (!closed && applied == entries.size()) {
          ReplicatedPair.this.wait();
        }
        if (closed) {
          return List.of();
        }
        int end = Math.min(entries.size(), applied + 1 + random.nextInt(4));
        long reign = entries.get(applied).term();
        return entries.subList(applied, end).stream()
            .takeWhile(entry -> entry.term() == reign)
            .toList();
      }
    }
  }

  /** The changes of several mutations as one. */
  private static Mutation together(List<Mutation> mutations) {
    var batch = new ByteArrayOutputStream();
    batch.writeBytes(new byte[HEADER_BYTES]);
    int count = 0;
    for (Mutation mutation : mutations) {
      batch.write(mutation.batch(), HEADER_BYTES, mutation.batch().length - HEADER_BYTES);
      count += mutation.changeCount();
    }
    byte[] bytes = batch.toByteArray();
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(COUNT_OFFSET, count);
    return Mutation.ofBatch(bytes, List.of());
  }

  public Member first() {
    return first;
  }

  public Member second() {
    return second;
  }

  public TestDatabase leader() {
    return currentLeader().database();
  }

  public TestDatabase follower() {
    return (currentLeader() == first ? second : first).database();
  }

  private synchronized Member currentLeader() {
    return leader;
  }

  /** Has a member lead, after everything before is applied everywhere. */
  public void lead(Member member) {
    Member before;
    synchronized (this) {
      before = leader;
      leader = null;
    }
    if (before != null) {
      before.database().database().leadership().becomeFollower();
    }
    awaitApplied();
    long newTerm;
    synchronized (this) {
      newTerm = ++term;
      leader = member;
    }
    member.database().database().leadership().becomeLeader(newTerm);
  }

  public void swap() {
    lead(currentLeader() == first ? second : first);
  }

  public synchronized void loseAtNextCommit(Loss next) {
    loss = next;
  }

  /** Waits until everything that was committed is applied everywhere. */
  public void awaitApplied() {
    Workers.await("everything is applied", this::isApplied);
  }

  private synchronized boolean isApplied() {
    for (Member member : List.of(first, second)) {
      if (member.failure != null) {
        throw new AssertionError("a mutation could not be applied", member.failure);
      }
    }
    return first.applied == entries.size() && second.applied == entries.size();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      leader = null;
      notifyAll();
    }
    for (Member member : List.of(first, second)) {
      member.database().database().leadership().becomeFollower();
      try {
        member.applier.join();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      member.database().close();
    }
  }
}
