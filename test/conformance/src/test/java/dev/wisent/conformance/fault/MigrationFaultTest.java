package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.cluster.config.migration.MoveRangeCoordinator;
import dev.wisent.cluster.coordinator.Phase;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.random.RandomGeneratorFactory;
import org.bson.Document;
import org.bson.types.MaxKey;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Ranges move under a load, and with kill -9 the primary of the donor, that of the recipient, that
 * of the config servers or a router goes before and after every phase of a migration. Every answer
 * is exact meanwhile; clients of sets that have a majority see no error, and in the end all members
 * have the same documents.
 *
 * <p>{@code -Dwisent.migration.kills=N} for more of them, {@code -Dwisent.seed=N} for the choices
 * of an earlier run, {@code -Dwisent.migration.point=NAME} and {@code -Dwisent.migration.victim}
 * for one place and victim only.
 */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
class MigrationFaultTest {
  private static final int KILLS = Integer.getInteger("wisent.migration.kills", 2);
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());

  /** A few kills are made in sets of one: many processes take long to start. */
  private static final int MEMBERS = KILLS < 10 ? 1 : 3;

  private static final Duration PATIENCE = ShardedProcesses.PATIENCE;
  private static final int RANGE = 100;

  /** Of the donor, around its decision. */
  private static final List<String> ON_DONOR =
      List.of("migration.enter", "migration.decide", "migration.decided");

  private enum Victim {
    RECIPIENT,
    ROUTER,
    DONOR,
    CONFIG
  }

  private record Kill(String point, Victim victim) {}

  /** A range, and where it goes. */
  private record Move(String collection, int min, int from) {
    int to() {
      return 1 - from;
    }

    Document command() {
      boolean last = collection.equals(MigrationClients.OWN) && min > 0;
      return new Document("moveRange", MigrationClients.DATABASE + "." + collection)
          .append("min", new Document("k", min))
          .append("max", new Document("k", last ? new MaxKey() : (Object) (min + RANGE)))
          .append("toShard", "shard" + to());
    }
  }

  private final SplittableGenerator random =
      RandomGeneratorFactory.<SplittableGenerator>of("L64X128MixRandom").create(SEED);
  private final List<String> told = new ArrayList<>();
  private ShardedProcesses cluster;
  private MigrationClients clients;
  private MongoClient mover;

  @Test
  void everyAnswerIsExactWhateverIsKilled(
      @TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    System.out.printf("migration faults: %d kills, seed %d%n", KILLS, SEED);
    try (ShardedProcesses processes =
            ShardedProcesses.start(
                directory, 2, MEMBERS, MEMBERS, 2, "--setParameter", "enableTestCommands=1");
        MigrationClients load = new MigrationClients(processes.uri(), MEMBERS);
        MongoClient moving = MongoClients.create(ClusterLoad.settings(processes.uri()))) {
      cluster = processes;
      clients = load;
      mover = moving;
      try {
        shard();
        clients.start(cluster.uri(), random.split());
        for (Kill kill : kills()) {
          round(kill);
        }
        clients.stop();
        checkEnd();
      } catch (AssertionError | RuntimeException e) {
        var error =
            new AssertionError(
                "seed %d, data in %s: %s%n%s%n%s"
                    .formatted(
                        SEED, directory, e.getMessage(), clients.steps(), String.join("\n", told)),
                e);
        cluster.describeInto(error);
        throw error;
      }
      System.out.printf("migration faults: %s%n", clients.steps());
    }
  }

  /** Each place with each victim, in an order that the seed decides, as often as it takes. */
  private List<Kill> kills() {
    var all = new ArrayList<Kill>();
    for (String point : points()) {
      for (Victim victim : Victim.values()) {
        all.add(new Kill(point, victim));
      }
    }
    String place = System.getProperty("wisent.migration.point");
    String only = System.getProperty("wisent.migration.victim");
    all.removeIf(
        kill ->
            (place != null && !kill.point.equals(place))
                || (only != null && !kill.victim.name().equals(only)));
    var chosen = new ArrayList<Kill>();
    while (chosen.size() < KILLS) {
      Collections.shuffle(all, Random.from(random));
      chosen.addAll(all.subList(0, Math.min(all.size(), KILLS - chosen.size())));
    }
    return chosen;
  }

  private static List<String> points() {
    var coordinator =
        new MoveRangeCoordinator(
            new ClusterMetadata(null, null, null, null, null, null, null, null));
    var points = new ArrayList<>(ON_DONOR);
    for (Phase phase : coordinator.phases()) {
      points.add(coordinator.type() + "." + phase.name() + ".before");
      points.add(coordinator.type() + "." + phase.name() + ".after");
    }
    points.add(coordinator.type() + ".end.before");
    points.add(coordinator.type() + ".end.after");
    return points;
  }

  private void shard() {
    Member router = cluster.routers().getFirst();
    router.admin(
        new Document("enableSharding", MigrationClients.DATABASE).append("primaryShard", "shard0"));
    for (String name : List.of(MigrationClients.KEPT, MigrationClients.OWN)) {
      router.admin(
          new Document("shardCollection", MigrationClients.DATABASE + "." + name)
              .append("key", new Document("k", 1)));
    }
  }

  private void round(Kill kill) {
    Move move = move();
    Member config = ShardedProcesses.awaitPrimary(cluster.config());
    Member donor = ShardedProcesses.awaitPrimary(cluster.shard(move.from));
    Member holder = ON_DONOR.contains(kill.point) ? donor : config;
    Member victim = victim(kill.victim, move, donor, config);
    told.add(
        "%d: %s at %s of %s, victim %s"
            .formatted(told.size() / 2, kill.victim, kill.point, move, victim.address()));
    long start = System.nanoTime();
    long before = entered(holder);
    hold(holder, kill.point);
    CompletableFuture<String> moved = CompletableFuture.supplyAsync(() -> tryMove(move));
    Eventually.holds(
        "the migration at " + kill.point,
        PATIENCE,
        () -> moved.isDone() || clients.endedEarly() || entered(holder) > before);
    victim.kill();
    if (victim != holder) {
      release(holder);
    }
    if (MEMBERS > 1) {
      progress("without " + kill.victim);
    }
    victim.start();
    String outcome = moved.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    awaitSettled();
    cluster.awaitAllReadable(); // The next kill must leave each set a majority.
    progress("after " + kill);
    told.add(
        "   %s, %d ms"
            .formatted(outcome, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
    System.out.println(String.join("", told.subList(told.size() - 2, told.size())));
  }

  private Move move() {
    boolean own = random.nextBoolean();
    String name = own ? MigrationClients.OWN : MigrationClients.KEPT;
    int min = RANGE * random.nextInt(own ? 2 : MigrationClients.KEPT_COUNT / RANGE);
    MongoDatabase config = mover.getDatabase("config");
    Document collection =
        config
            .getCollection("collections")
            .find(new Document("_id", MigrationClients.DATABASE + "." + name))
            .first();
    Document chunk =
        config
            .getCollection("chunks")
            .find(
                new Document("uuid", collection.get("uuid"))
                    .append("min", new Document("$lte", new Document("k", min))))
            .sort(new Document("min", -1))
            .first();
    return new Move(name, min, Integer.parseInt(chunk.getString("shard").substring(5)));
  }

  private Member victim(Victim kind, Move move, Member donor, Member config) {
    return switch (kind) {
      case DONOR -> donor;
      case RECIPIENT -> ShardedProcesses.awaitPrimary(cluster.shard(move.to()));
      case CONFIG -> config;
      case ROUTER -> cluster.routers().get(random.nextInt(2));
    };
  }

  /** How often fail points have acted: another one that is switched off tells. */
  private static long entered(Member member) {
    return member
        .admin(
            new Document("configureFailPoint", "hangAfterStartingIndexBuild").append("mode", "off"))
        .getLong("count");
  }

  private static void hold(Member member, String point) {
    member.admin(
        new Document("configureFailPoint", "coordinatorPhase")
            .append("mode", "alwaysOn")
            .append("data", new Document("point", point).append("action", "hang")));
  }

  private static void release(Member member) {
    member.admin(new Document("configureFailPoint", "coordinatorPhase").append("mode", "off"));
  }

  /** A fault may end a migration; what becomes of it is looked at. */
  private String tryMove(Move move) {
    try {
      mover.getDatabase("admin").runCommand(move.command());
      return "moved";
    } catch (MongoException e) {
      return e.getMessage();
    }
  }

  private void progress(String when) {
    Map<String, Integer> before = clients.steps();
    Eventually.holds(
        "work of all clients " + when + ", which had done " + before,
        PATIENCE,
        () -> clients.haveGoneOn(before));
    if (clients.endedEarly()) {
      clients.stop(); // Fails with the finding.
    }
  }

  private void awaitSettled() {
    MongoDatabase config = mover.getDatabase("config");
    Eventually.holds(
        "the end of all migrations",
        PATIENCE,
        () ->
            config.getCollection("migrations").countDocuments() == 0
                && config.getCollection("system.sharding_ddl_coordinators").countDocuments() == 0);
  }

  private void checkEnd() {
    clients.check();
    Document found =
        mover
            .getDatabase("admin")
            .runCommand(new Document("checkMetadataConsistency", 1).append("checkIndexes", true));
    assertThat(found.get("cursor", Document.class).getList("firstBatch", Document.class)).isEmpty();
    for (int i = 0; i < 2; i++) {
      MemberAgreement.await(cluster.shard(i), MigrationClients.DATABASE);
    }
  }
}
