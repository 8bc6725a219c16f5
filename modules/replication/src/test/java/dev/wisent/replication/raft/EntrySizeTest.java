package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.replication.ClusterClock;
import dev.wisent.replication.raft.LogTarget.Outcome;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** No entry is larger than the log takes, and none that fits is refused. */
class EntrySizeTest {
  private static final int ENTRY_BYTES_MAX = 40_000;
  private static final int CASES = 400;
  private static final byte[] KEY = {1};

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);
  private final Proposed target = new Proposed();
  private final RaftCommitLog log =
      new RaftCommitLog(
          1,
          ENTRY_BYTES_MAX,
          new ClusterClock(Clock.system()),
          Clock.system(),
          BackgroundLoops.silent());

  /** Applies each entry at once, and remembers how large it was. */
  private final class Proposed implements LogTarget {
    final List<Integer> sizes = new CopyOnWriteArrayList<>();
    volatile boolean resigned;

    @Override
    public CompletableFuture<Outcome> append(long callId, ByteString entry) {
      sizes.add(entry.size());
      log.claim(callId).applied();
      return CompletableFuture.completedFuture(Outcome.APPLIED);
    }

    @Override
    public void publishCommitIndex() {}

    @Override
    public void resign() {
      resigned = true;
    }
  }

  EntrySizeTest() {
    log.leadershipBegins(1, target);
    log.beginTerm(1);
  }

  @AfterEach
  void close() {
    log.close();
    assertThat(target.resigned).isFalse();
  }

  /** A mutation with oplog entries, of which the entry has exactly this size if it is alone. */
  private Mutation sized(int entryBytes, List<Integer> oplog) {
    var mutation = new MutationBuilder();
    oplog.forEach(bytes -> mutation.oplogEntry(document(bytes)));
    int without = singleEntryBytes(mutation.put(Keyspace.RECORDS, KEY, new byte[0]).build());
    int wanted = entryBytes - without;
    // The length of the value is a number of one to three bytes, of which one is there already.
    for (int value = Math.max(0, wanted - 2); value <= wanted; value++) {
      var exact = new MutationBuilder();
      oplog.forEach(bytes -> exact.oplogEntry(document(bytes)));
      Mutation built = exact.put(Keyspace.RECORDS, KEY, new byte[value]).build();
      if (singleEntryBytes(built) == entryBytes) {
        return built;
      }
    }
    return null;
  }

  private static int singleEntryBytes(Mutation mutation) {
    var stamp = new OplogTimestamps(new ClusterClock(Clock.system()), Clock.system());
    return EntryFormat.encode(
            new EntryFormat.Entry(
                1, 0, List.of(stamp.stamp(List.of(mutation), 1).getFirst().mutation())))
        .size();
  }

  private static byte[] document(int bytes) {
    byte[] document = new byte[Math.max(5, bytes)];
    document[0] = (byte) document.length;
    document[1] = (byte) (document.length >> 8);
    return document;
  }

  private List<Integer> randomOplog() {
    List<Integer> sizes = new ArrayList<>();
    int count = random.nextInt(6);
    for (int i = 0; i < count; i++) {
      // Around the sizes at which a length takes one byte more.
      int[] edges = {5, 80, 128, 1_000, 6_000, 16_384 - 48};
      int edge = edges[random.nextInt(edges.length)];
      sizes.add(edge + random.nextInt(-4, 5));
    }
    return sizes.stream().mapToInt(Integer::intValue).sum() > 30_000 ? List.of() : sizes;
  }

  @Test
  void anEntryAtTheLimitIsProposedAndOneByteMoreIsRefused() {
    int tried = 0;
    for (int i = 0; i < CASES; i++) {
      List<Integer> oplog = randomOplog();
      for (int more = -1; more <= 1; more++) {
        Mutation mutation = sized(ENTRY_BYTES_MAX + more, oplog);
        if (mutation == null) {
          continue;
        }
        tried++;
        int before = target.sizes.size();
        if (more <= 0) {
          log.submit(mutation).awaitApplied();
          assertThat(target.sizes.getLast())
              .as("seed %d, oplog %s", seed, oplog)
              .isEqualTo(ENTRY_BYTES_MAX + more);
        } else {
          assertThatThrownBy(() -> log.submit(mutation))
              .as("seed %d, oplog %s", seed, oplog)
              .isInstanceOfSatisfying(
                  StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TOO_LARGE));
          assertThat(target.sizes).hasSize(before);
        }
      }
    }
    assertThat(tried).isGreaterThan(2 * CASES);
  }

  @Test
  void mutationsThatShareAnEntryFitTogether() {
    List<CommitFuture> commits = new ArrayList<>();
    for (int i = 0; i < CASES; i++) {
      Mutation mutation = sized(ENTRY_BYTES_MAX / (1 + random.nextInt(6)), List.of());
      if (mutation != null) {
        commits.add(log.submit(mutation));
      }
    }
    commits.forEach(CommitFuture::awaitApplied);
    assertThat(target.sizes)
        .allSatisfy(size -> assertThat(size).isLessThanOrEqualTo(ENTRY_BYTES_MAX));
  }
}
