package dev.wisent.conformance.transaction;

import dev.wisent.conformance.fault.Faults;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Three members under a load of transactions and change streams, with a fault every few seconds:
 * every snapshot of a bank has the same sum, lists show no anomaly that snapshot isolation
 * excludes, a commit has one outcome however often it is sent, and a change stream delivers the
 * oplog.
 *
 * <p>{@code -Dwisent.history.seconds=N} for a longer run, {@code -Dwisent.seed=N} for the choices
 * of an earlier one.
 */
@Tag("scaled")
@Execution(ExecutionMode.CONCURRENT)
class TransactionFaultTest {

  private static final Duration TIME =
      Duration.ofSeconds(Integer.getInteger("wisent.history.seconds", 15));
  private static final long SEED = Long.getLong("wisent.seed", System.nanoTime());

  /** Enough of each kind to call it a load. */
  private static final int COMMITS_MIN = 20;

  private final SplittableGenerator random =
      RandomGeneratorFactory.<SplittableGenerator>of("L64X128MixRandom").create(SEED);

  @Test
  void historiesAreConsistent(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) {
    System.out.printf("transaction histories: %d s, seed %d%n", TIME.toSeconds(), SEED);
    try (ReplicaSetProcesses set = ReplicaSetProcesses.start(directory, SetOptions.of(3));
        TransactionLoad load = new TransactionLoad(set.uri())) {
      Faults faults = new Faults(set, random.split(), load::endedEarly);
      try {
        load.start(random.split());
        faults.run(TIME);
        awaitCommits(set, load);
        load.stop();
        new TransactionChecks(set, load).run();
      } catch (AssertionError | RuntimeException e) {
        AssertionError error =
            new AssertionError(
                "seed %d, data in %s: %s%n%s%nfaults:%n%s"
                    .formatted(SEED, directory, e.getMessage(), load.summary(), faults.history()),
                e);
        set.describeInto(error);
        throw error;
      }
      System.out.printf(
          "transaction histories: %d faults, %s%s%n",
          faults.count(), load.summary(), noteOfWriteSkew(set, load));
    }
  }

  /** A set that is whole again takes transactions, without help. */
  private static void awaitCommits(ReplicaSetProcesses set, TransactionLoad load) {
    set.awaitPrimary();
    set.awaitAllReadable();
    long before = load.committed();
    Eventually.holds(
        "transactions after the last fault",
        ReplicaSetProcesses.PATIENCE,
        () -> load.committed() > Math.max(before, COMMITS_MIN) || load.endedEarly());
  }

  private static String noteOfWriteSkew(ReplicaSetProcesses set, TransactionLoad load) {
    var lists = ListClient.lists(set.awaitPrimary().direct().getDatabase(TransactionLoad.DATABASE));
    return load.lists().hasWriteSkew(lists) ? "; with write skew, which is allowed" : "";
  }
}
