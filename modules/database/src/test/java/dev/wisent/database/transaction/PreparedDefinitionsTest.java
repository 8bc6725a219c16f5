package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of definitions wait for prepared transactions, and hold up nothing meanwhile. */
class PreparedDefinitionsTest {
  private static final long DEADLINE_SECONDS = 60;
  private static final Namespace OTHER = new Namespace("test", "other");

  private TestDatabase database;
  private TestTransaction transaction;
  private long preparedAt;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.openWithOplog(directory);
    database.insert("{_id: 1, n: 0}", "{_id: 2, n: 0}");
    database.createIndex("{old: 1}");
    transaction = TestTransaction.of(database);
    transaction.update("{_id: 1}", "{$inc: {n: 10}}");
    transaction.insert("{_id: 9, n: 9}");
    preparedAt = transaction.prepare();
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  /** As in MongoDB, {@code fsync} with {@code lock} waits for it, and it for nothing. */
  @Test
  void aLockWaitsForItsEnd() throws Exception {
    WriteGate gate = database.database().writeGate();
    CompletableFuture<Integer> lock =
        CompletableFuture.supplyAsync(
            () -> gate.lock(database.operation(), TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS)));
    awaitKeptOut(gate);
    assertThat(gate.lockCount()).isZero();
    assertThat(lock).isNotDone();
    transaction.commitAt(preparedAt);
    assertThat(lock.get(DEADLINE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    OperationContext late = database.operation();
    late.limitMillis(10);
    assertThat(error(() -> gate.enterToEnd(late)).code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    assertThat(gate.unlock()).isZero();
    database.insert("{_id: 10}");
  }

  @Test
  void aLockIsGivenUpWhereItDoesNotEndInTime() {
    WriteGate gate = database.database().writeGate();
    assertThat(error(() -> gate.lock(database.operation(), 10)).code())
        .isEqualTo(ErrorCode.LOCK_TIMEOUT);
    assertThat(gate.unlock()).isEqualTo(-1);
    database.insert("{_id: 10}");
    transaction.commitAt(preparedAt);
  }

  /** Waits until others may not write. */
  private void awaitKeptOut(WriteGate gate) {
    while (true) {
      OperationContext write = database.operation();
      write.limitMillis(1);
      try {
        gate.enter(write);
        gate.leave();
      } catch (CommandException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
        return;
      }
    }
  }

  /** A change of the collection. */
  private interface Change {
    void make(TestDatabase database, OperationContext operation);
  }

  static Stream<Named<Change>> changes() {
    return Stream.of(
        Named.of("drop", (database, operation) -> changes(database).drop(c(database), operation)),
        Named.of(
            "createIndexes",
            (database, operation) ->
                changes(database)
                    .addIndexes(
                        c(database),
                        List.of(TestDatabase.indexSpec(RawDocument.parse("{n: 1}"))),
                        operation)),
        Named.of(
            "dropIndexes",
            (database, operation) ->
                changes(database)
                    .dropIndexes(
                        c(database),
                        definition -> List.of(definition.index("old_1").orElseThrow()),
                        operation)),
        Named.of(
            "rename",
            (database, operation) ->
                changes(database)
                    .rename(c(database), new Namespace("test", "renamed"), null, operation)),
        Named.of(
            "replaced",
            (database, operation) ->
                changes(database)
                    .rename(
                        database.database().catalog().require(OTHER),
                        TestDatabase.NAMESPACE,
                        c(database),
                        operation)),
        Named.of(
            "collMod",
            (database, operation) ->
                changes(database)
                    .modify(
                        c(database),
                        definition ->
                            definition.withOptions(RawDocument.parse("{validationLevel: 'off'}")),
                        operation)),
        Named.of(
            "reIndex", (database, operation) -> changes(database).reindex(c(database), operation)));
  }

  private static CatalogChanges changes(TestDatabase database) {
    return database.database().changes();
  }

  private static Collection c(TestDatabase database) {
    return database.collection();
  }

  private CompletableFuture<Void> waiting(Consumer<OperationContext> work) {
    OperationContext operation = database.operation();
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> work.accept(operation), command -> Thread.ofPlatform().daemon().start(command));
    Workers.await("a wait", () -> operation.isWaitingForLock() || done.isDone());
    assertThat(done).isNotDone();
    return done;
  }

  private static void end(CompletableFuture<Void> done) {
    try {
      done.orTimeout(DEADLINE_SECONDS, TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof CommandException error) {
        throw error;
      }
      throw e;
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeWaitsAndTheCommitDoesNot(Change change) {
    changes(database).create(OTHER, RawDocument.EMPTY, database.operation());
    CompletableFuture<Void> done = waiting(operation -> change.make(database, operation));
    transaction.commitAt(preparedAt);
    end(done);
    if (database.database().catalog().find(TestDatabase.NAMESPACE) != null
        && database.count("{}") > 0) {
      assertThat(database.find("{n: {$gt: 0}}")).hasSize(2);
      database.assertValid();
    }
  }

  @ParameterizedTest
  @MethodSource("changes")
  void aChangeWaitsAndTheAbortDoesNot(Change change) {
    changes(database).create(OTHER, RawDocument.EMPTY, database.operation());
    CompletableFuture<Void> done = waiting(operation -> change.make(database, operation));
    transaction.abortDecided();
    end(done);
  }

  /** H4: neither the gate nor changes of other collections wait for other shards. */
  @Test
  void whileAChangeWaitsItIsNotInTheGateAndOtherDefinitionsChange() {
    CompletableFuture<Void> done =
        waiting(operation -> changes(database).drop(database.collection(), operation));
    WriteGate gate = database.database().writeGate();
    gate.prepared(() -> false);
    gate.lock(database.operation(), TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
    gate.unlock();
    OperationContext limited = database.operation();
    limited.limitMillis(TimeUnit.SECONDS.toMillis(DEADLINE_SECONDS));
    changes(database).create(OTHER, RawDocument.EMPTY, limited);
    database.insert("{_id: 20}");
    assertThat(done).isNotDone();
    transaction.commitAt(preparedAt);
    end(done);
    assertThat(database.database().catalog().find(TestDatabase.NAMESPACE)).isNull();
  }

  /** One after the other would hold up the change for ever. */
  @Test
  void whileAChangeWaitsNothingElseIsPrepared() {
    var second = TestTransaction.of(database).insert("{_id: 30}");
    CompletableFuture<Void> done =
        waiting(operation -> changes(database).reindex(database.collection(), operation));
    assertThat(error(second::prepare).code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
    transaction.commitAt(preparedAt);
    end(done);
    var third = TestTransaction.of(database).insert("{_id: 31}");
    third.commitAt(third.prepare());
    assertThat(database.count("{}")).isEqualTo(4);
  }

  @Test
  void theEndOfLeadershipEndsTheWait() {
    CompletableFuture<Void> done =
        waiting(operation -> changes(database).drop(database.collection(), operation));
    database.database().leadership().becomeFollower();
    assertThat(error(() -> end(done)).code())
        .isIn(ErrorCode.NOT_WRITABLE_PRIMARY, ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE);
    database.database().leadership().becomeLeader(8);
    transaction.commitAt(preparedAt);
    assertThat(database.count("{}")).isEqualTo(3);
  }

  @Test
  void aRestartKeepsWhatIsPrepared() {
    database.reopen();
    assertThat(database.count("{}")).isEqualTo(2);
    OperationContext limited = database.operation();
    limited.limitMillis(30);
    assertThat(error(() -> changes(database).drop(database.collection(), limited)).code())
        .isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
    transaction.commitAt(preparedAt);
    assertThat(database.count("{}")).isEqualTo(3);
    database.assertValid();
  }
}
