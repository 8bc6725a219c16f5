package dev.wisent.database.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.DeleteRequest;
import dev.wisent.operation.DeleteStatement;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ChunkRange;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.RangeMove;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that wait for writes, and writes that wait for blocks. */
class WriteBlocksTest {
  private static final Namespace OTHER = new Namespace("other", "c");
  private static final RawDocument BLOCK = RawDocument.parse("{_id: {ns: 'test.c', id: 1}}");

  private TestDatabase test;
  private WriteBlocks blocks;

  @BeforeEach
  void open(@TempDir Path directory) {
    test = TestDatabase.open(directory);
    insert(Ownership.DATABASES, RawDocument.parse("{_id: 'none', version: {}}"));
    delete(Ownership.DATABASES, RawDocument.EMPTY);
    blocks = test.database().ownership().blocks();
  }

  @AfterEach
  void close() {
    test.close();
  }

  private void insert(Namespace namespace, RawDocument document) {
    var request = new InsertRequest(namespace, List.of(document), true, false);
    assertThat(test.database().insert(test.operation(), request).failures()).isEmpty();
  }

  private void delete(Namespace namespace, RawDocument filter) {
    var statement = new DeleteStatement(filter, true, null);
    test.database()
        .delete(test.operation(), new DeleteRequest(namespace, List.of(statement), true));
  }

  @Test
  void aBlockWaitsForTheWritesOfItsCollection() {
    WriteBlocks.Pass write = blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT);
    WriteBlocks.Pass other = blocks.tryEnter(OTHER, WriteBlocks.Length.SHORT);
    insert(Ownership.BLOCKS, BLOCK);
    CompletableFuture<Void> block =
        CompletableFuture.runAsync(
            () -> blocks.awaitEmpty("test.c", test.operation(), test.database().writeGate()),
            Thread::startVirtualThread);
    CompletableFuture<Void> ofDatabase =
        CompletableFuture.runAsync(
            () -> blocks.awaitEmpty("test", test.operation(), test.database().writeGate()),
            Thread::startVirtualThread);
    assertThat(block).isNotDone();
    assertThat(ofDatabase).isNotDone();
    assertThat(blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT)).isNull();
    write.close();
    block.join();
    ofDatabase.join();
    other.close();
  }

  @Test
  void aWriteWaitsForTheEndOfTheBlock() {
    insert(Ownership.BLOCKS, BLOCK);
    var operation = test.operation();
    CompletableFuture<Void> write =
        CompletableFuture.runAsync(
            () ->
                test.database()
                    .insert(
                        operation,
                        new InsertRequest(
                            TestDatabase.NAMESPACE, List.of(RawDocument.EMPTY), true, false)));
    while (!operation.isWaitingForLock()) {
      Thread.onSpinWait();
    }
    insert(OTHER, RawDocument.EMPTY);
    assertThat(write).isNotDone();
    delete(Ownership.BLOCKS, RawDocument.EMPTY);
    write.join();
    assertThat(test.collection().documents()).isEqualTo(1);
  }

  /** A coordinator that blocks one collection after the other waits for the writes of each. */
  @Test
  void aWriteOfSeveralCollectionsHoldsNoneWhileItWaits() {
    insert(Ownership.BLOCKS, BLOCK);
    var operation = test.operation();
    var both = new LinkedHashSet<>(List.of(OTHER, TestDatabase.NAMESPACE));
    CompletableFuture<WriteBlocks.Pass> write =
        CompletableFuture.supplyAsync(
            () -> blocks.enterAll(both, operation, test.database().writeGate()));
    while (!operation.isWaitingForLock()) {
      Thread.onSpinWait();
    }
    awaitEmpty("other.c");
    delete(Ownership.BLOCKS, RawDocument.EMPTY);
    WriteBlocks.Pass pass = write.join();
    OperationContext late = test.operation();
    late.limitMillis(10);
    assertThatThrownBy(() -> blocks.awaitEmpty("other.c", late, test.database().writeGate()))
        .isInstanceOf(CommandException.class);
    pass.close();
    awaitEmpty("other.c");
    awaitEmpty("test.c");
  }

  /** Rule H2: a flip waits for the writes under way, and later ones wait for its end. */
  @Test
  void whatIsOwnedChangesWhileNoWriteIsUnderWay() {
    WriteBlocks.Pass write = blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT);
    var changed = new AtomicBoolean();
    var operation = test.operation();
    CompletableFuture<Boolean> change =
        CompletableFuture.supplyAsync(
            () ->
                blocks.tryExclusively(
                    TestDatabase.NAMESPACE,
                    operation,
                    test.database().writeGate(),
                    Long.MAX_VALUE,
                    () -> changed.set(true)));
    while (!operation.isWaitingForLock() && !change.isDone()) {
      Thread.onSpinWait();
    }
    assertThat(changed).isFalse();
    assertThat(blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT)).isNull();
    write.close();
    assertThat(change.join()).isTrue();
    assertThat(changed).isTrue();
    WriteBlocks.Pass late = blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT);
    assertThat(
            blocks.tryExclusively(
                TestDatabase.NAMESPACE,
                test.operation(),
                test.database().writeGate(),
                0,
                () -> changed.set(false)))
        .isFalse();
    assertThat(changed).isTrue();
    late.close();
  }

  private void awaitEmpty(String name) {
    blocks.awaitEmpty(name, test.operation(), test.database().writeGate());
  }

  @Test
  void theWaitForWritesEndsWithLeadership(@TempDir Path directory) {
    try (ReplicatedPair pair = ReplicatedPair.withOplog(directory, 1)) {
      TestDatabase leader = shard(pair);
      WriteBlocks of = leader.database().ownership().blocks();
      WriteBlocks.Pass write = of.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT);
      var operation = leader.operation();
      CompletableFuture<Void> block =
          CompletableFuture.runAsync(
              () -> of.awaitEmpty("test.c", operation, leader.database().writeGate()));
      while (!operation.isWaitingForLock()) {
        Thread.onSpinWait();
      }
      pair.swap();
      assertThatThrownBy(block::join)
          .cause()
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
      write.close();
    }
  }

  /** What is prepared is let go with the leadership, and is under way again in the next. */
  @Test
  void nothingIsTakenForEmptyAfterTheEndOfLeadership(@TempDir Path directory) {
    try (ReplicatedPair pair = ReplicatedPair.withOplog(directory, 1)) {
      TestDatabase leader = shard(pair);
      WriteBlocks of = leader.database().ownership().blocks();
      var gate = leader.database().writeGate();
      pair.swap();
      assertThatThrownBy(() -> of.awaitEmpty("test.c", leader.operation(), gate))
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    }
  }

  @Test
  void aChangeEndsWithTheLeadershipThatItBeganUnder(@TempDir Path directory) {
    try (ReplicatedPair pair = ReplicatedPair.withOplog(directory, 1)) {
      TestDatabase leader = shard(pair);
      WriteBlocks of = leader.database().ownership().blocks();
      var gate = leader.database().writeGate();
      of.exclusively(
          Set.of(TestDatabase.NAMESPACE), leader.operation(), gate, WriteBlocks::checkTerm);
      assertThatThrownBy(
              () ->
                  of.exclusively(
                      Set.of(TestDatabase.NAMESPACE),
                      leader.operation(),
                      gate,
                      () -> {
                        pair.swap();
                        pair.swap();
                        WriteBlocks.checkTerm();
                      }))
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    }
  }

  private static TestDatabase shard(ReplicatedPair pair) {
    TestDatabase leader = pair.leader();
    var databases = List.of(RawDocument.parse("{_id: 'none', version: {}}"));
    leader
        .database()
        .insert(leader.operation(), new InsertRequest(Ownership.DATABASES, databases, true, false));
    leader
        .database()
        .delete(
            leader.operation(),
            new DeleteRequest(
                Ownership.DATABASES,
                List.of(new DeleteStatement(RawDocument.EMPTY, true, null)),
                true));
    return leader;
  }

  private boolean isCalm(long ageNanos) {
    return blocks.awaitCalm(
        TestDatabase.NAMESPACE, ageNanos, test.operation(), test.database().writeGate(), 0);
  }

  @Test
  void aLongWriteIsNotWaitedForWhileOthersAreKeptOut() {
    assertThat(isCalm(WriteBlocks.LONG_NANOS)).isTrue();
    try (WriteBlocks.Pass write =
        blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT)) {
      assertThat(isCalm(Long.MAX_VALUE)).isTrue();
      assertThat(isCalm(0)).isFalse();
    }
    try (WriteBlocks.Pass write = blocks.tryEnter(OTHER, WriteBlocks.Length.LONG)) {
      assertThat(isCalm(WriteBlocks.LONG_NANOS)).isTrue();
    }
    try (WriteBlocks.Pass write =
        blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.LONG)) {
      assertThat(isCalm(WriteBlocks.LONG_NANOS)).isFalse();
      blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT).close();
    }
    try (WriteBlocks.Pass prepared = blocks.resume(TestDatabase.NAMESPACE)) {
      assertThat(isCalm(WriteBlocks.LONG_NANOS)).isFalse();
    }
    assertThat(isCalm(WriteBlocks.LONG_NANOS)).isTrue();
  }

  @Test
  void theWaitForLongWritesEndsWithThem() {
    WriteBlocks.Pass write = blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.LONG);
    OperationContext operation = test.operation();
    CompletableFuture<Boolean> calm =
        CompletableFuture.supplyAsync(
            () ->
                blocks.awaitCalm(
                    TestDatabase.NAMESPACE,
                    WriteBlocks.LONG_NANOS,
                    operation,
                    test.database().writeGate(),
                    Long.MAX_VALUE),
            Thread::startVirtualThread);
    while (!operation.isWaitingForLock()) {
      Thread.onSpinWait();
    }
    blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT).close();
    assertThat(calm).isNotDone();
    write.close();
    assertThat(calm.join()).isTrue();
  }

  private void migration(boolean decided) {
    var range = new ChunkRange(RawDocument.parse("{k: 0}"), RawDocument.parse("{k: 1}"));
    var move = new RangeMove(new UUID(0, 1), range, "a", "b", ChunkVersion.UNSHARDED, decided);
    delete(Ownership.MOVES, RawDocument.EMPTY);
    insert(
        Ownership.MOVES,
        new BsonBuilder()
            .appendInt32("_id", 1)
            .appendString("ns", TestDatabase.NAMESPACE.full())
            .appendDocument("move", move.toDocument())
            .toDocument());
  }

  /** A range that comes is nowhere until the writes under way have ended. */
  @Test
  void longWritesWaitForTheOutcomeOfAMigration() {
    migration(false);
    // No member waits for good for an outcome that was promised to an earlier primary.
    blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.LONG).close();
    blocks.awaitOutcome(TestDatabase.NAMESPACE);
    blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT).close();
    blocks.tryEnter(OTHER, WriteBlocks.Length.LONG).close();
    assertThat(blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.LONG)).isNull();
    OperationContext operation = test.operation();
    CompletableFuture<WriteBlocks.Pass> write =
        CompletableFuture.supplyAsync(
            () ->
                blocks.enter(
                    TestDatabase.NAMESPACE,
                    WriteBlocks.Length.LONG,
                    operation,
                    test.database().writeGate()),
            Thread::startVirtualThread);
    while (!operation.isWaitingForLock()) {
      Thread.onSpinWait();
    }
    assertThat(write).isNotDone();
    migration(true);
    write.join().close();
  }

  @Test
  void aLongWriteThatWaitsForAnOutcomeCanBeKilled() {
    migration(false);
    blocks.awaitOutcome(TestDatabase.NAMESPACE);
    OperationContext operation = test.operation();
    operation.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(
            () ->
                blocks.enter(
                    TestDatabase.NAMESPACE,
                    WriteBlocks.Length.LONG,
                    operation,
                    test.database().writeGate()))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
  }

  @Test
  void twoCoordinatorsBlockIndependently() {
    insert(Ownership.BLOCKS, BLOCK);
    insert(Ownership.BLOCKS, RawDocument.parse("{_id: {ns: 'test', id: 2}}"));
    delete(Ownership.BLOCKS, BLOCK);
    assertThat(blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT)).isNull();
    delete(Ownership.BLOCKS, RawDocument.EMPTY);
    blocks.tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT).close();
  }

  @Test
  void blocksSurviveARestart() {
    insert(Ownership.BLOCKS, BLOCK);
    test.reopen();
    assertThat(
            test.database()
                .ownership()
                .blocks()
                .tryEnter(TestDatabase.NAMESPACE, WriteBlocks.Length.SHORT))
        .isNull();
  }
}
