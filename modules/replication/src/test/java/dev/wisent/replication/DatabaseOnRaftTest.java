package dev.wisent.replication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.raft.Peer;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.LeadershipException;
import dev.wisent.storage.LeadershipException.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Databases on a real log: what is written while leadership changes is there once, everywhere. */
@Timeout(900)
class DatabaseOnRaftTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int COUNTERS = 4;
  private static final int TRANSFERS = 5;

  private final Map<String, DatabaseNode> nodes = new TreeMap<>();
  private final UUID group = UUID.randomUUID();
  private Path directory;
  private long keptLogBytes = 64 << 20;

  @BeforeEach
  void place(@TempDir Path place) {
    directory = place;
  }

  @AfterEach
  void close() {
    nodes.values().forEach(DatabaseNode::close);
  }

  private DatabaseNode start(String id) {
    var node = new DatabaseNode(id, directory.resolve(id), keptLogBytes);
    nodes.put(id, node);
    return node;
  }

  private void startThree() {
    DatabaseNode first = start("n1");
    first.raft.begin(group, first.peer());
    await("the first leads", first::leads);
    for (String id : List.of("n2", "n3")) {
      DatabaseNode node = start(id);
      node.raft.join(group, node.peer(), first.raft.secret().orElseThrow());
    }
    first.raft.setPeers(nodes.values().stream().map(DatabaseNode::peer).toList(), LONG);
  }

  private DatabaseNode leader() {
    var found = new AtomicReference<DatabaseNode>();
    await(
        "somebody leads",
        () -> {
          nodes.values().stream().filter(DatabaseNode::leads).findFirst().ifPresent(found::set);
          return found.get() != null;
        });
    return found.get();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited in vain: %s", what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  private void awaitEqual() {
    await(
        "all have applied the same",
        () ->
            nodes.values().stream().map(node -> node.engine.appliedPosition()).distinct().count()
                == 1);
  }

  private void assertEqual() {
    DatabaseNode leader = leader();
    for (DatabaseNode node : nodes.values()) {
      for (Keyspace keyspace : Keyspace.values()) {
        assertThat(node.contents(keyspace))
            .as("%s of %s", keyspace, node.id)
            .isEqualTo(leader.contents(keyspace));
      }
      assertThat(node.validate().isValid()).as("%s", node.validate()).isTrue();
      assertThat(node.database.catalog().require(DatabaseNode.NAMESPACE).documents())
          .isEqualTo(node.validate().records());
    }
  }

  @Test
  void countersAreRightWhateverBecomesOfLeadership() throws InterruptedException {
    startThree();
    for (int i = 0; i < COUNTERS; i++) {
      leader().insert("{_id: " + i + ", n: 0}");
    }
    var done = new AtomicIntegerArray(COUNTERS);
    var unknown = new AtomicIntegerArray(COUNTERS);
    var failure = new AtomicReference<Throwable>();
    var running = new AtomicBoolean(true);
    var ended = new CountDownLatch(2 * COUNTERS);
    for (int i = 0; i < COUNTERS; i++) {
      int counter = i;
      startThread(() -> count(counter, running, done, unknown), failure, ended);
      startThread(() -> watch(counter, running), failure, ended);
    }
    for (int i = 0; i < TRANSFERS; i++) {
      int before = sum(done);
      await("writes go on", () -> sum(done) > before + 50 || failure.get() != null);
      transfer();
    }
    running.set(false);
    ended.await();
    assertThat(failure.get()).isNull();
    awaitEqual();
    assertEqual();
    for (DatabaseNode node : nodes.values()) {
      for (int i = 0; i < COUNTERS; i++) {
        int value = node.find("{_id: " + i + "}").getFirst().get("n").asInt32();
        assertThat(value).isBetween(done.get(i), done.get(i) + unknown.get(i));
      }
    }
  }

  private static int sum(AtomicIntegerArray numbers) {
    int sum = 0;
    for (int i = 0; i < numbers.length(); i++) {
      sum += numbers.get(i);
    }
    return sum;
  }

  private void startThread(
      Runnable task, AtomicReference<Throwable> failure, CountDownLatch ended) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                task.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              } finally {
                ended.countDown();
              }
            });
  }

  private void count(
      int counter, AtomicBoolean running, AtomicIntegerArray done, AtomicIntegerArray unknown) {
    while (running.get()) {
      try {
        leader().update("{_id: " + counter + "}", "{$inc: {n: 1}}");
        done.incrementAndGet(counter);
      } catch (CommandException e) {
        assertThat(e.code())
            .isIn(ErrorCode.NOT_WRITABLE_PRIMARY, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
        if (e.code() == ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE) {
          unknown.incrementAndGet(counter);
        }
      } catch (LeadershipException e) {
        assertThat(e.kind()).isIn(Kind.NOT_LEADER, Kind.LEADERSHIP_LOST);
        if (e.kind() == Kind.LEADERSHIP_LOST) {
          unknown.incrementAndGet(counter);
        }
      }
    }
  }

  /** On each node a counter only grows, by whichever way it is read. */
  private void watch(int counter, AtomicBoolean running) {
    Map<String, Integer> seen = new TreeMap<>();
    while (running.get()) {
      for (DatabaseNode node : nodes.values()) {
        for (String filter : List.of("{_id: " + counter + "}", "{_id: {$in: [" + counter + "]}}")) {
          List<RawDocument> found = node.find(filter);
          if (!found.isEmpty()) {
            int value = found.getFirst().get("n").asInt32();
            assertThat(value).isGreaterThanOrEqualTo(seen.getOrDefault(node.id, 0));
            seen.put(node.id, value);
          }
        }
      }
    }
  }

  private void transfer() {
    DatabaseNode leader = leader();
    DatabaseNode next =
        nodes.values().stream().filter(node -> node != leader).findAny().orElseThrow();
    leader.raft.transferTo(next.id, LONG);
    await("the other leads", next::leads);
  }

  @Test
  void aNodeThatWasStoppedGoesOnWhereItWas() {
    startThree();
    leader().insert("{_id: 0, n: 0}");
    DatabaseNode stopped =
        nodes.values().stream().filter(node -> !node.leads()).findAny().orElseThrow();
    nodes.remove(stopped.id).close();
    for (int i = 1; i < 50; i++) {
      leader().insert("{_id: " + i + ", a: [1, " + i + "]}");
    }
    start(stopped.id);
    awaitEqual();
    assertEqual();
    assertThat(nodes.get(stopped.id).find("{}")).hasSize(50);
  }

  @Test
  void aNodeThatComesLaterGetsEverythingAndReadsItAnew() {
    keptLogBytes = 1 << 16;
    DatabaseNode first = start("n1");
    first.raft.begin(group, first.peer());
    await("the first leads", first::leads);
    String filling = "x".repeat(1000);
    for (int i = 0; i < 500; i++) {
      first.insert("{_id: " + i + ", filling: '" + filling + "'}");
    }
    DatabaseNode late = start("n2");
    late.raft.join(group, late.peer(), first.raft.secret().orElseThrow());
    List<Peer> peers = List.of(first.peer(), late.peer());
    first.raft.setPeers(peers, LONG);
    awaitEqual();
    assertEqual();
    assertThat(late.find("{_id: {$gte: 0}}")).hasSize(500);
    first.insert("{_id: 500}");
    awaitEqual();
    assertThat(late.find("{_id: 500}")).hasSize(1);
    first.raft.transferTo("n2", LONG);
    await("the other leads", late::leads);
    late.insert("{_id: 501}");
    awaitEqual();
    assertEqual();
  }
}
