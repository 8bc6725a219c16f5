package dev.wisent.database.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.FindAndModifyOutcome;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.UpdateStatement;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.LocalCommitLog;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageException;
import dev.wisent.storage.StorageException.Kind;
import dev.wisent.storage.StorageOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random batches, each sent until it is answered, by a primary that may go down before or after any
 * of its mutations: documents and answers are those of a server that never goes down and gets each
 * batch once.
 */
class LostAnswersTest {
  private static final int ROUNDS = 8;
  private static final int BATCHES = 60;
  private static final int IDS = 12;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private int lost;
  private int repeated;

  /** A log that goes down, with or without the mutation at hand. */
  private static final class UnreliableLog implements CommitLog {
    private final LocalCommitLog log;
    private int accepted = Integer.MAX_VALUE;
    private boolean lastIsKept;

    UnreliableLog(LocalCommitLog log) {
      this.log = log;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      if (accepted-- > 0) {
        return log.submit(mutation);
      }
      if (lastIsKept) {
        lastIsKept = false;
        log.submit(mutation).awaitApplied();
      }
      throw new StorageException(Kind.IO, "the answer is lost");
    }

    @Override
    public void sync() {
      log.sync();
    }

    @Override
    public void close() {
      log.close();
    }
  }

  @Test
  void everyBatchIsDoneOnce(@TempDir Path unreliable, @TempDir Path reliable) {
    System.out.println("LostAnswersTest seed " + seed);
    var random = new SplittableRandom(seed);
    var options =
        StorageOptions.defaults(unreliable).withCacheBytes(8 << 20).withWriteBufferBytes(1 << 20);
    StorageEngine engine = StorageEngine.open(options);
    var log = new UnreliableLog(LocalCommitLog.start(engine, BackgroundLoops.silent()));
    try (TestDatabase reference = TestDatabase.open(reliable)) {
      for (int round = 0; round < ROUNDS; round++) {
        var client = new Retries(round);
        for (int batch = 1; batch <= BATCHES; batch++) {
          Function<LocalDatabase, String> write = batch(client, batch, random);
          String expected = write.apply(reference.database());
          assertThat(untilAnswered(engine, log, write, random))
              .as("round %d, batch %d", round, batch)
              .isEqualTo(expected);
        }
        LocalDatabase database =
            LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
        assertThat(contents(database)).isEqualTo(contents(reference.database()));
      }
      assertThat(lost).isGreaterThan(BATCHES);
      assertThat(repeated).isGreaterThan(BATCHES);
    } finally {
      log.close();
      engine.close();
    }
  }

  private String untilAnswered(
      StorageEngine engine,
      UnreliableLog log,
      Function<LocalDatabase, String> write,
      SplittableRandom random) {
    while (true) {
      // Another member takes over: it has what was committed, and nothing in memory.
      LocalDatabase database =
          LocalDatabase.open(engine, log, Clock.system(), RandomSource.system());
      log.accepted = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(4);
      log.lastIsKept = random.nextBoolean();
      try {
        String answer = write.apply(database);
        if (random.nextInt(3) > 0) {
          return answer;
        }
        repeated++; // The answer itself got lost.
      } catch (StorageException e) {
        lost++;
      } finally {
        log.accepted = Integer.MAX_VALUE;
      }
    }
  }

  private static List<String> contents(LocalDatabase database) {
    return TestDatabase.drain(
            database.find(
                new Retries(0).operation(0),
                FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY)))
        .stream()
        .map(RawDocument::toJson)
        .sorted()
        .toList();
  }

  private static Function<LocalDatabase, String> batch(
      Retries client, long txnNumber, SplittableRandom random) {
    // No document is touched twice in a batch: a statement that changes nothing runs again when it
    // is retried, and could then find what a later one of its batch has made.
    List<Integer> ids = shuffledIds(random);
    int size = 1 + random.nextInt(5);
    return switch (random.nextInt(4)) {
      case 0 -> {
        var documents = new ArrayList<RawDocument>();
        for (int i = 0; i < size; i++) {
          documents.add(RawDocument.parse("{_id: " + ids.get(i) + ", n: 1}"));
        }
        yield database -> describe(client.insert(database, txnNumber, documents));
      }
      case 1 -> {
        var updates = new ArrayList<UpdateStatement>();
        for (int i = 0; i < size; i++) {
          String change = random.nextInt(4) == 0 ? "{$set: {m: 1}}" : "{$inc: {n: 1}}";
          updates.add(
              TestDatabase.statement(
                  "{_id: " + ids.get(i) + "}", change, false, random.nextBoolean()));
        }
        yield database -> describe(client.update(database, txnNumber, updates));
      }
      case 2 -> {
        var deletes = new ArrayList<DeleteStatement>();
        for (int i = 0; i < size; i++) {
          deletes.add(Retries.deleteOf("{_id: " + ids.get(i) + "}"));
        }
        yield database -> describe(client.delete(database, txnNumber, deletes));
      }
      default -> {
        boolean removal = random.nextInt(3) == 0;
        var request =
            Retries.findAndModify(
                "{_id: " + ids.getFirst() + "}",
                removal ? null : "{$inc: {n: 1}}",
                !removal && random.nextBoolean(),
                !removal && random.nextBoolean(),
                "{}");
        yield database -> describe(client.findAndModify(database, txnNumber, request));
      }
    };
  }

  private static List<Integer> shuffledIds(SplittableRandom random) {
    var ids = new ArrayList<Integer>();
    for (int id = 0; id < IDS; id++) {
      ids.add(random.nextInt(id + 1), id);
    }
    return ids;
  }

  private static String describe(WriteOutcome outcome) {
    return outcome.matched()
        + " "
        + outcome.modified()
        + " "
        + outcome.upserted()
        + " "
        + outcome.failures().stream()
            .map(failure -> failure.index() + failure.error().toString())
            .toList();
  }

  private static String describe(FindAndModifyOutcome outcome) {
    return outcome.value()
        + " "
        + outcome.matched()
        + " "
        + outcome.updatedExisting()
        + " "
        + outcome.upsertedId();
  }
}
