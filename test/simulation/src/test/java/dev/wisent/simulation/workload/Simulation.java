package dev.wisent.simulation.workload;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.simulation.cluster.SimulatedClient;
import dev.wisent.simulation.cluster.SimulatedCluster;
import dev.wisent.simulation.cluster.SimulatedNode;
import dev.wisent.simulation.machine.Host;
import dev.wisent.simulation.machine.Machine;
import dev.wisent.simulation.machine.Preemption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * One seed: a cluster, clients that read and write, ranges that move, and what goes wrong
 * meanwhile. Then everything is healed, and the cluster has to find its way back.
 */
public final class Simulation {
  private static final int CLIENTS = 3;
  private static final int PAYERS = 2;

  /** Indexes are built in one of so many seeds. */
  private static final int INDEXING_EVERY = 5;

  private static final long POLL_NANOS = 50_000_000;
  private static final Path FAST = Path.of("/dev/shm");

  /** What a run was like. */
  public record Outcome(
      long digest, long steps, long virtualMillis, int moved, List<String> faults) {}

  private final long seed;
  private final Machine machine;
  private final SimulatedCluster cluster;
  private final Model model = new Model();
  private final Ledger ledger = new Ledger();
  private final List<Traffic> clients = new ArrayList<>();
  private final List<Payments> payers = new ArrayList<>();
  private LateMessages late;

  /** Null where no indexes are built. */
  private Indexing indexing;

  private final Host host;
  private final Chaos chaos;
  private final OwnershipCheck ownership;
  private final Loads loads;
  private Administration administration;
  private String phase = "set up";

  private Simulation(long seed, Machine machine, SimulatedCluster cluster) {
    this.seed = seed;
    this.machine = machine;
    this.cluster = cluster;
    this.host = machine.host("client");
    this.chaos = new Chaos(machine, cluster);
    this.ownership = new OwnershipCheck(cluster);
    this.loads = Loads.of(seed, cluster, this::session);
  }

  /**
   * Runs a seed.
   *
   * @throws IllegalStateException if a promise was broken, with the {@link Violation} as its cause
   */
  public static Outcome run(long seed) {
    SimulatedCluster.prepareJvm();
    Path directory = directory();
    var preemption = new Preemption((int) (seed % 4) * 20_000, 50_000, 20_000_000);
    try (Machine machine = new Machine(seed, preemption);
        SimulatedCluster cluster = new SimulatedCluster(machine, directory)) {
      var simulation = new Simulation(seed, machine, cluster);
      if (System.getProperty("wisent.simulation.trace") != null) {
        Trace.into(Path.of(System.getProperty("wisent.simulation.trace")), cluster.network());
      }
      try {
        return simulation.run();
      } catch (RuntimeException e) {
        if (Boolean.getBoolean("wisent.simulation.dump")) {
          System.out.println(simulation.dump());
        }
        throw new IllegalStateException(
            "seed "
                + seed
                + ", "
                + simulation.phase
                + ", at "
                + machine.nowNanos() / 1_000_000
                + " ms: "
                + e.getMessage()
                + "\n"
                + simulation.chaos.done(),
            e);
      }
    } finally {
      delete(directory);
    }
  }

  /** What all threads are at. */
  private String dump() {
    var out = new StringBuilder(host.dump()).append(cluster.router().host().dump());
    cluster.sets().forEach(node -> out.append(node.host().dump()));
    return out.toString();
  }

  private Outcome run() {
    cluster.create();
    inThread("prepare", this::prepare);
    phase = "under faults";
    var watcher = host.start("ownership", ownership);
    for (int i = 0; i < CLIENTS; i++) {
      var client = new Traffic(session(), model, i, 18);
      clients.add(client);
      host.start("traffic-" + i, client);
    }
    for (int i = 0; i < PAYERS; i++) {
      var payer = new Payments(session(), model, ledger, host.random().nextUuid(), i, 8);
      payers.add(payer);
      host.start("payments-" + i, payer);
    }
    late = new LateMessages(session(), new SimulatedClient(host), cluster, 3);
    host.start("late-messages", late);
    if (seed % INDEXING_EVERY == 0) {
      indexing = new Indexing(session());
      host.start("indexing", indexing);
    }
    administration = new Administration(session(), 12, loads.moved());
    host.start("administration", administration);
    loads.clients().forEach(client -> host.start("load", client));
    chaos.begin();
    machine.runUntil(this::isQuiet, Session.seconds(3));
    phase = "healed";
    chaos.end();
    await("clients to end", this::isQuiet);
    ownership.end();
    await("nodes to run", this::allRun);
    inThread("finish", this::finish);
    await("the check to end", () -> !watcher.isAlive() || ownership.isLost());
    return new Outcome(
        machine.digest(),
        machine.steps(),
        machine.nowNanos() / 1_000_000,
        administration.moved(),
        chaos.done());
  }

  private Session session() {
    return new Session(
        new SimulatedClient(host), cluster.router().address(), host.random().nextUuid());
  }

  private boolean isQuiet() {
    return administration.hasEnded()
        && loads.haveEnded()
        && clients.stream().allMatch(Traffic::hasEnded)
        && payers.stream().allMatch(Payments::hasEnded)
        && late.hasEnded()
        && (indexing == null || indexing.hasEnded());
  }

  private boolean allRun() {
    return cluster.router().isRunning()
        && cluster.sets().stream().allMatch(SimulatedNode::isRunning);
  }

  private void await(String what, BooleanSupplier condition) {
    if (!machine.runUntil(condition, Session.seconds(300))) {
      throw new Violation("waited in vain for " + what);
    }
  }

  private void inThread(String name, Runnable task) {
    boolean[] done = new boolean[1];
    host.start(
        name,
        () -> {
          task.run();
          done[0] = true;
        });
    await("the end of " + name, () -> done[0]);
  }

  private void prepare() {
    Session session = session();
    admin(session, "{enableSharding: 'd', primaryShard: 'shard0'}");
    admin(session, "{shardCollection: 'd.c', key: {k: 1}}");
    for (int key = 10; key < Traffic.KEYS; key += 10) {
      admin(session, "{split: 'd.c', middle: {k: " + key + "}}");
    }
    admin(session, "{moveRange: 'd.c', min: {k: 20}, toShard: 'shard1'}");
    for (int i = 0; i < Traffic.ACCOUNTS; i++) {
      int key = Traffic.keyOfAccount(i);
      Model.Entry entry = model.insert(i, key, session.now());
      session.write("insert: 'c', documents: [{_id: " + i + ", k: " + key + ", b: 0, t: 0}]");
      entry.inserted.acknowledged(session.now());
    }
    loads.prepare(session);
  }

  private static void admin(Session session, String json) {
    RawDocument reply = session.tryCall("admin", json);
    if (reply == null || !SimulatedClient.isOk(reply)) {
      throw new IllegalStateException(json + " gave " + reply);
    }
  }

  /** After everything is healed: nothing is left behind, and everything is where it belongs. */
  private void finish() {
    var admin = new SimulatedClient(host);
    awaitEmpty(admin, cluster.config(), "system.sharding_ddl_coordinators");
    for (SimulatedNode shard : cluster.shards()) {
      awaitEmpty(admin, shard, "migrationCoordinators");
      awaitEmpty(admin, shard, "migrationRecipients");
      awaitEmpty(admin, shard, "shard.catalog.moves");
      awaitEmpty(admin, shard, "transaction_coordinators");
      awaitEmpty(admin, shard, "rangeDeletions");
    }
    Session session = session();
    long from = session.now();
    RawDocument count = required("count", () -> session.tryRead("{count: 'c'}"));
    model.checkCount(Session.number(count, "n"), 0, Traffic.KEYS, from, session.now());
    long before = session.now();
    List<RawDocument> found = required("scan", () -> session.scan("{find: 'c'}"));
    clients.getFirst().check(found, before);
    checkTransfers(found);
    ledger.checkWhole(found);
    found.stream()
        .filter(document -> Session.number(document, "_id") < Traffic.ACCOUNTS)
        .forEach(account -> ledger.checkPayments(account, before, session.now()));
    if (indexing != null) {
      indexing.check(found);
    }
    checkPlaces(admin, found);
    loads.check(session);
    PastReads.check(session);
  }

  private static <T> T required(String what, java.util.function.Supplier<T> read) {
    for (int i = 0; i < 100; i++) {
      T result = read.get();
      if (result != null) {
        return result;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new Violation("no " + what + " of a healed cluster");
  }

  private void awaitEmpty(SimulatedClient admin, SimulatedNode node, String collection) {
    RawDocument last = null;
    for (int i = 0; i < 2400; i++) {
      try {
        last = admin.run(node.address(), "config", "{find: '" + collection + "'}");
        if (last.get("cursor").asDocument().get("firstBatch").length() == 5) {
          return;
        }
      } catch (CommandException e) {
        last = null;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    throw new Violation(node + " still has config." + collection + ": " + last);
  }

  private void checkTransfers(List<RawDocument> found) {
    List<RawDocument> accounts =
        found.stream()
            .filter(document -> Session.number(document, "_id") < Traffic.ACCOUNTS)
            .toList();
    Traffic.checkSum(accounts);
    long parts = accounts.stream().mapToLong(account -> Session.number(account, "t")).sum();
    long certain = 2L * clients.stream().mapToInt(Traffic::transfers).sum();
    long possible = certain + 2L * clients.stream().mapToInt(Traffic::unknownTransfers).sum();
    if (parts < certain || parts > possible) {
      throw new Violation(
          parts + " parts of transfers, of " + certain + " to " + possible + ": " + accounts);
    }
  }

  /** Each document is on the shard that owns it, and nowhere else. */
  private void checkPlaces(SimulatedClient admin, List<RawDocument> found) {
    RawDocument chunks =
        admin.run(
            cluster.config().address(),
            "config",
            "{find: 'chunks', filter: {uuid: {$uuid: '"
                + cluster.shards().getFirst().owned(OwnershipCheck.COLLECTION).uuid()
                + "'}}, sort: {min: 1}, batchSize: 1000}");
    for (int key = 0; key < Traffic.KEYS; key++) {
      Chunks.requireOwner(chunks, key, ownership.owner(key));
    }
    long stored = 0;
    for (SimulatedNode shard : cluster.shards()) {
      RawDocument direct = admin.run(shard.address(), "d", "{find: 'c', batchSize: 1000}");
      for (RawDocument document : Chunks.batch(direct)) {
        stored++;
        int key = (int) Session.number(document, "k");
        if (!shard.name().equals(ownership.owner(key))) {
          throw new Violation(shard + " has " + document + " of key " + key + ", not its own");
        }
      }
    }
    if (stored != found.size()) {
      throw new Violation(stored + " documents on shards, " + found.size() + " through the router");
    }
  }

  private static Path directory() {
    try {
      return Files.isDirectory(FAST)
          ? Files.createTempDirectory(FAST, "wisent-simulation")
          : Files.createTempDirectory("wisent-simulation");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
