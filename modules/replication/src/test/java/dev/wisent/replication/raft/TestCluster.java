package dev.wisent.replication.raft;

import dev.wisent.replication.secret.LogSecret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Nodes of one log in one process. */
final class TestCluster implements AutoCloseable {
  static final Duration LONG = Duration.ofSeconds(60);

  /**
   * For tests in which the leader stays what it is: no peer is elected because the machine stood
   * still for a moment.
   */
  static final UnaryOperator<RaftOptions> STEADY =
      options -> options.withElectionTimeout(Duration.ofSeconds(2), Duration.ofSeconds(4));

  private final Path directory;
  private final UnaryOperator<RaftOptions> options;
  private final Map<String, TestNode> nodes = new TreeMap<>();
  final UUID group = UUID.randomUUID();

  TestCluster(Path directory, UnaryOperator<RaftOptions> options) {
    this.directory = directory;
    this.options = options;
  }

  /** Begins a log with one node and adds others. */
  static TestCluster of(int count, Path directory, UnaryOperator<RaftOptions> options) {
    var cluster = new TestCluster(directory, options);
    TestNode first = cluster.start("n1");
    first.raft.begin(cluster.group, first.peer());
    await("the first leads", first::isReady);
    for (int i = 2; i <= count; i++) {
      cluster.join("n" + i);
    }
    first.raft.setPeers(cluster.peers(), LONG);
    return cluster;
  }

  TestNode start(String id) {
    var node = new TestNode(id, directory.resolve(id), options);
    nodes.put(id, node);
    return node;
  }

  TestNode join(String id) {
    TestNode node = start(id);
    node.raft.join(group, node.peer(), secret());
    return node;
  }

  /** What the members share. */
  LogSecret secret() {
    return nodes.values().stream()
        .flatMap(node -> node.raft.secret().stream())
        .findFirst()
        .orElseThrow();
  }

  void stop(String id) {
    nodes.remove(id).close();
  }

  /** All but one, at the same time: while they go one by one, that one may give up leadership. */
  void stopAllBut(TestNode stays) {
    List<TestNode> going = nodes.values().stream().filter(node -> node != stays).toList();
    nodes.values().removeAll(going);
    going.stream()
        .map(node -> CompletableFuture.runAsync(node::close, Thread::startVirtualThread))
        .toList()
        .forEach(CompletableFuture::join);
  }

  TestNode node(String id) {
    return nodes.get(id);
  }

  Collection<TestNode> nodes() {
    return nodes.values();
  }

  List<Peer> peers() {
    return nodes.values().stream().map(TestNode::peer).toList();
  }

  TestNode leader() {
    return await(
        "a leader",
        () -> nodes.values().stream().filter(TestNode::isReady).findFirst().orElse(null));
  }

  TestNode follower() {
    TestNode leader = leader();
    return nodes.values().stream().filter(node -> node != leader).findFirst().orElseThrow();
  }

  /** Waits until all nodes have applied what the leader has. */
  void awaitEqual() {
    TestNode leader = leader();
    await(
        "all are as far as the leader",
        () ->
            nodes.values().stream()
                .allMatch(node -> node.applier.applied().equals(leader.applier.applied())));
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, () -> condition.getAsBoolean() ? true : null);
  }

  static <T> T await(String what, Supplier<T> look) {
    long deadline = System.nanoTime() + LONG.toNanos();
    while (true) {
      T found = look.get();
      if (found != null) {
        return found;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("Waited in vain until " + what);
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  @Override
  public void close() {
    List<TestNode> all = new ArrayList<>(nodes.values());
    nodes.clear();
    all.forEach(TestNode::close);
  }
}
