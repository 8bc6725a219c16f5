package dev.wisent.conformance.crash;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Deadline;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A server under load is killed at a random moment and started again, round after round on the same
 * data.
 *
 * <p>{@code -Dwisent.crash.rounds=N} for more rounds, {@code -Dwisent.seed=N} for the choices of an
 * earlier run (the moments of death are only as reproducible as the machine).
 */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
class CrashTest {

  private static final int ROUNDS = Integer.getInteger("wisent.crash.rounds", 8);
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());

  // Each process lives for seconds: compiling everything well would cost more than it brings.
  private static final String[] SHORT_LIVED = {"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"};

  private static final int WRITES_MIN = 100;

  private final RandomGenerator.SplittableGenerator random =
      RandomGeneratorFactory.<RandomGenerator.SplittableGenerator>of("L64X128MixRandom")
          .create(SEED);
  private final Load load = new Load(random.split());

  @Test
  void acknowledgedWritesSurviveKill(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    ProcessOptions options = ProcessOptions.in(directory).withJvmFlags(SHORT_LIVED);
    ServerProcess server = ServerProcess.start(options);
    int round = 0;
    try (ExecutorService executor = Executors.newCachedThreadPool()) {
      createCollections(server);
      for (round = 1; round <= ROUNDS; round++) {
        loadAndKill(server, executor);
        if (random.nextInt(4) == 0) {
          killDuringRecovery(options);
        }
        server = ServerProcess.start(options);
        check(server);
      }
      server.terminate();
      server = ServerProcess.start(options);
      check(server);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "round %d, seed %d, data in %s: %s%n%s"
              .formatted(round, SEED, directory, e.getMessage(), server.logTail()),
          e);
    } finally {
      server.close();
    }
    System.out.printf(
        "crash test: %d rounds, %d acknowledged writes, seed %d%n", ROUNDS, load.steps(), SEED);
  }

  private static void createCollections(ServerProcess server) {
    try (MongoClient client = connect(server)) {
      Namespaces.of(client).create();
    }
  }

  private void loadAndKill(ServerProcess server, ExecutorService executor) {
    try (MongoClient client = connect(server)) {
      load.start(client, executor);
      try {
        awaitMomentOfDeath();
      } finally {
        // In any case: the writers only stop when the server does.
        load.expectDeath();
        server.kill();
      }
    }
    load.awaitEnd();
  }

  /** Lets the load get going, and then run for a random time, unless a writer finds something. */
  private void awaitMomentOfDeath() {
    long enough = load.steps() + WRITES_MIN;
    Eventually.holds(
        WRITES_MIN + " acknowledged writes",
        Duration.ofSeconds(120),
        () -> load.steps() >= enough || load.endedEarly());
    Deadline death = Deadline.after(Duration.ofMillis(random.nextInt(0, 1000)));
    while (!death.expired() && !load.endedEarly()) {
      LockSupport.parkNanos(Math.min(death.remainingNanos(), TimeUnit.MILLISECONDS.toNanos(5)));
    }
  }

  /** Recovery has to be repeatable: kills the new process before or soon after it is ready. */
  private void killDuringRecovery(ProcessOptions options) {
    ServerProcess victim = ServerProcess.launch(options);
    Deadline death = Deadline.after(Duration.ofMillis(random.nextInt(50, 900)));
    while (!death.expired()) {
      LockSupport.parkNanos(death.remainingNanos());
    }
    victim.kill();
  }

  private void check(ServerProcess server) {
    try (MongoClient client = connect(server)) {
      new CrashChecks(client, load).run();
    }
  }

  private static MongoClient connect(ServerProcess server) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(server.uri()))
            .retryWrites(false)
            .applyToSocketSettings(b -> b.readTimeout(60, TimeUnit.SECONDS))
            .applyToClusterSettings(b -> b.serverSelectionTimeout(10, TimeUnit.SECONDS))
            .build());
  }
}
