package dev.wisent.conformance.fault;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Three members under load, with a fault every few seconds: no acknowledged write is lost or done
 * twice, no linearizable read is stale, and all members end up the same.
 *
 * <p>{@code -Dwisent.fault.seconds=N} for a longer run, {@code -Dwisent.seed=N} for the choices of
 * an earlier one (the moments are only as reproducible as the machine).
 */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
class FaultTest {

  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("wisent.fault.seconds", 30));
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());

  /** Enough to call it a load; a healthy machine does hundreds in a second. */
  private static final int WRITES_MIN = 100;

  private final RandomGenerator.SplittableGenerator random =
      RandomGeneratorFactory.<RandomGenerator.SplittableGenerator>of("L64X128MixRandom")
          .create(SEED);

  @Test
  void acknowledgedWritesSurviveFaults(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    System.out.printf("fault test: %d s, seed %d%n", TIME.toSeconds(), SEED);
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
        FaultLoad load = new FaultLoad()) {
      Faults faults = new Faults(set, random.split(), load::endedEarly);
      try {
        createRegister(set);
        load.start(set.uri(), random.split());
        faults.run(TIME);
        awaitWrites(set, load);
        load.stop();
        new FaultChecks(set, load).run();
      } catch (AssertionError | RuntimeException e) {
        AssertionError error =
            new AssertionError(
                "seed %d, data in %s: %s%n%s%nfaults:%n%s"
                    .formatted(SEED, directory, e.getMessage(), load.summary(), faults.history()),
                e);
        set.describeInto(error);
        throw error;
      }
      System.out.printf("fault test: %d faults, %s%n", faults.count(), load.summary());
    }
  }

  private static void createRegister(ReplicaSetProcesses set) {
    try (MongoClient client = MongoClients.create(ClientThreads.settings(set.uri()))) {
      client
          .getDatabase(FaultClient.DATABASE)
          .getCollection(FaultClient.REGISTER)
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(new Document("_id", FaultClient.REGISTER).append("value", 0L));
    }
  }

  /** A set that is whole again takes writes, without help. */
  private static void awaitWrites(ReplicaSetProcesses set, FaultLoad load) {
    set.awaitPrimary();
    set.awaitAllReadable();
    long before = load.acknowledged();
    Eventually.holds(
        "writes after the last fault",
        ReplicaSetProcesses.PATIENCE,
        () -> load.acknowledged() > Math.max(before, WRITES_MIN) || load.endedEarly());
  }
}
