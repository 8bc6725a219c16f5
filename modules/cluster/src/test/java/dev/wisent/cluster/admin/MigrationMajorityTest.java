package dev.wisent.cluster.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.cluster.embedded.EmbeddedNode;
import dev.wisent.cluster.embedded.EmbeddedSet;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Shards are sets of three. Two of three config servers go in the middle of a migration: clients go
 * on, and it is settled when they are back. Then the primary of the recipient goes in each phase.
 */
@Tag("faults")
class MigrationMajorityTest {
  private static final String CONFIG = "cfg";
  private static final String NAMESPACE = "load.c";

  /** After the grant, and in each later phase. */
  private static final List<String> POINTS =
      List.of("grant.after", "clone.after", "flip.before", "flip.after", "settle.after");

  @TempDir Path directory;

  private final List<EmbeddedNode> config = new ArrayList<>();
  private EmbeddedSet configSet;
  private List<EmbeddedSet> shards;
  private MongoClient client;

  private interface Faults {
    void run(MigrationLoad load) throws Exception;
  }

  private ServerOptions.Builder options(ServerOptions.Builder options, ClusterRole role) {
    return options.clusterRole(role).cacheBytes(16 << 20).setParameter("enableTestCommands", "1");
  }

  private void run(int configServers, Faults faults) throws Exception {
    configSet =
        EmbeddedSet.start(
            CONFIG,
            configServers,
            directory,
            options -> options(options, ClusterRole.CONFIG_SERVER));
    config.addAll(configSet.members());
    try (EmbeddedSet first = shard(0);
        EmbeddedSet second = shard(1);
        EmbeddedNode router =
            EmbeddedNode.start(
                ServerOptions.builder(directory.resolve("router"))
                    .port(0)
                    .configDb(configSet.connectionString())
                    .build());
        MongoClient opened = MongoClients.create("mongodb://" + router.address() + "/")) {
      client = opened;
      shards = List.of(first, second);
      MongoDatabase admin = client.getDatabase("admin");
      for (EmbeddedSet shard : shards) {
        admin.runCommand(new Document("addShard", shard.connectionString()));
      }
      admin.runCommand(Document.parse("{enableSharding: 'load', primaryShard: 'shard0'}"));
      admin.runCommand(Document.parse("{shardCollection: '%s', key: {k: 1}}".formatted(NAMESPACE)));
      try (var load =
          new MigrationLoad(client, client, NAMESPACE, ReadPreference.secondaryPreferred())) {
        load.insertFixed();
        faults.run(load);
        load.finish();
      }
    } finally {
      config.forEach(EmbeddedNode::close);
    }
  }

  private EmbeddedSet shard(int number) {
    return EmbeddedSet.start(
        "shard" + number, 3, directory, options -> options(options, ClusterRole.SHARD_SERVER));
  }

  /** Scans of secondaries are exact too. */
  @Test
  void rangesMoveBetweenSetsOfThree() throws Exception {
    run(
        1,
        load -> {
          load.start(1);
          for (int i = 0; i < 10 || !load.hasDone(5); i++) {
            move(i % 4, i / 4 % 2 == 0 ? 1 : 0);
          }
        });
  }

  @Test
  void whatTheConfigServersMissIsSettledLater() throws Exception {
    run(
        3,
        load -> {
          load.start(1);
          for (int i = 0; i < POINTS.size(); i++) {
            loseMajority(POINTS.get(i), i, load);
          }
        });
  }

  private void loseMajority(String point, int part, MigrationLoad load) throws Exception {
    EmbeddedNode primary = primaryOf(config);
    onConfig(
        primary,
        "{configureFailPoint: 'coordinatorPhase', mode: 'alwaysOn', data: {point: 'moveRange.%s', action: 'hang'}}"
            .formatted(point));
    CompletableFuture<Void> moved = started(() -> tryMove(part));
    await(point, () -> isAt(primary, point));
    List<EmbeddedNode> gone = config.stream().filter(each -> each != primary).toList();
    gone.forEach(EmbeddedNode::close);
    List<Integer> rounds = load.rounds();
    await("clients go on after " + point, () -> load.hasGoneOn(rounds));
    if (point.equals("flip.after")) {
      await("currentOp tells of it", this::isShown);
    }
    for (EmbeddedNode each : gone) {
      int member =
          configSet.members().stream().map(EmbeddedNode::port).toList().indexOf(each.port());
      config.remove(each);
      config.add(restarted(member, each.port()));
    }
    await("a primary", () -> primaryOrNull(config) != null);
    config.forEach(each -> onConfig(each, "{configureFailPoint: 'coordinatorPhase', mode: 'off'}"));
    moved.get(120, TimeUnit.SECONDS);
    await("the end of the migration of " + point, () -> isSettled());
    // Whatever came of it, it can be done.
    move(part, 1);
  }

  private EmbeddedNode restarted(int member, int port) {
    return EmbeddedNode.start(
        options(
                ServerOptions.builder(directory.resolve(CONFIG + "-" + member))
                    .port(port)
                    .replicaSet(CONFIG),
                ClusterRole.CONFIG_SERVER)
            .build());
  }

  /** The recipient's next primary goes on, or the migration fails and nothing has changed. */
  @Test
  void theRecipientMayElectAPrimaryInEachPhase() throws Exception {
    run(
        1,
        load -> {
          load.startRetryable(1);
          for (int i = 0; i < POINTS.size(); i++) {
            EmbeddedNode primary = primaryOf(config);
            String point = POINTS.get(i);
            int part = i;
            onConfig(
                primary,
                "{configureFailPoint: 'coordinatorPhase', mode: 'alwaysOn', data: {point: 'moveRange.%s', action: 'hang'}}"
                    .formatted(point));
            CompletableFuture<Void> moved = started(() -> tryMove(part));
            await(point, () -> isAt(primary, point));
            EmbeddedNode stepsDown = primaryOf(shards.get(1).members());
            onConfig(
                stepsDown, "{replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5, force: true}");
            onConfig(primary, "{configureFailPoint: 'coordinatorPhase', mode: 'off'}");
            moved.get(120, TimeUnit.SECONDS);
            await("the end of the migration of " + point, this::isSettled);
            List<Integer> rounds = load.rounds();
            await("clients go on after " + point, () -> load.hasGoneOn(rounds));
            move(part, 1);
          }
        });
  }

  private static CompletableFuture<Void> started(Runnable action) {
    return CompletableFuture.runAsync(action, run -> Thread.ofVirtual().start(run));
  }

  private void move(int part, int shard) {
    String range =
        part == 4
            ? "min: {k: 1000}, max: {k: {$maxKey: 1}}"
            : "min: {k: %d}, max: {k: %d}".formatted(part * 100, part * 100 + 100);
    client
        .getDatabase("admin")
        .runCommand(
            Document.parse(
                "{moveRange: '%s', %s, toShard: 'shard%d'}".formatted(NAMESPACE, range, shard)));
  }

  private void tryMove(int part) {
    try {
      move(part, 1);
    } catch (MongoException e) {
      // It is looked at what has come of it.
    }
  }

  private boolean isAt(EmbeddedNode primary, String point) {
    try (MongoClient direct = direct(primary)) {
      String phase = point.substring(0, point.indexOf('.'));
      Document run =
          direct
              .getDatabase("config")
              .getCollection("system.sharding_ddl_coordinators")
              .find()
              .first();
      boolean there = run != null && run.getString("phase").equals(phase);
      return there && (!point.equals("flip.after") || isShown());
    }
  }

  private boolean isShown() {
    return !client
        .getDatabase("admin")
        .runCommand(Document.parse("{currentOp: 1, desc: /has gone to shard1/}"))
        .getList("inprog", Document.class)
        .isEmpty();
  }

  private boolean isSettled() {
    try {
      MongoDatabase metadata = client.getDatabase("config");
      return metadata.getCollection("system.sharding_ddl_coordinators").countDocuments() == 0
          && metadata.getCollection("migrations").countDocuments() == 0;
    } catch (MongoException e) {
      return false;
    }
  }

  private static MongoClient direct(EmbeddedNode node) {
    return MongoClients.create("mongodb://" + node.address() + "/?directConnection=true");
  }

  private static void onConfig(EmbeddedNode node, String command) {
    try (MongoClient direct = direct(node)) {
      direct.getDatabase("admin").runCommand(Document.parse(command));
    } catch (MongoException e) {
      assertThat(command).as(e.getMessage()).contains("StepDown");
    }
  }

  private static EmbeddedNode primaryOf(List<EmbeddedNode> members) {
    EmbeddedNode[] found = {null};
    await(
        "a primary",
        () -> {
          found[0] = primaryOrNull(members);
          return found[0] != null;
        });
    return found[0];
  }

  private static EmbeddedNode primaryOrNull(List<EmbeddedNode> members) {
    for (EmbeddedNode each : members) {
      try (MongoClient direct = direct(each)) {
        if (direct
            .getDatabase("admin")
            .runCommand(new Document("hello", 1))
            .getBoolean("isWritablePrimary")) {
          return each;
        }
      } catch (MongoException e) {
        // Not yet.
      }
    }
    return null;
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for " + what).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }
}
