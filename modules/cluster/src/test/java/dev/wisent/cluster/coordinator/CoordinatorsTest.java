package dev.wisent.cluster.coordinator;

import static dev.wisent.cluster.coordinator.CoordinatorTestNode.crashAt;
import static dev.wisent.cluster.coordinator.CoordinatorTestNode.operation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.OperationContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CoordinatorsTest {
  private final List<String> done = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicReference<String> failing = new AtomicReference<>("");
  private final AtomicReference<String> lost = new AtomicReference<>("");
  private final Counting counting = new Counting();
  private final CoordinatorTestNode node = new CoordinatorTestNode(List.of(counting));

  /** Notes what it does; phases fail as the test asks. */
  private final class Counting implements Coordinator {
    @Override
    public String type() {
      return "counting";
    }

    @Override
    public Set<ResourceLock> locks(String resource, RawDocument arguments) {
      return ResourceLock.ofCollection(resource);
    }

    @Override
    public Optional<RawDocument> check(PhaseContext context) {
      if (context.arguments().get("refuse") != null) {
        throw new CommandException(ErrorCode.BAD_VALUE, "refused");
      }
      return context.arguments().get("done") == null
          ? Optional.empty()
          : Optional.of(RawDocument.parse("{already: true}"));
    }

    @Override
    public List<Phase> phases() {
      return List.of(
          Phase.deciding(
              "choose",
              context -> {
                step("choose");
                return new BsonBuilder().appendUuid("chosen", context.id()).toDocument();
              }),
          Phase.reversible("prepare", context -> step("prepare")),
          Phase.untilDone("commit", context -> step("commit")),
          Phase.untilDone("finish", context -> step("finish")));
    }

    private void step(String name) {
      done.add(name);
      if (lost.compareAndSet(name, "")) {
        throw new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary");
      }
      if (failing.get().equals(name) && failures.getAndDecrement() > 0) {
        throw new CommandException(ErrorCode.HOST_UNREACHABLE, name + " failed");
      }
    }

    @Override
    public void undo(PhaseContext context) {
      step("undo");
    }

    @Override
    public RawDocument result(PhaseContext context) {
      return new BsonBuilder().append("chosen", context.data().get("chosen")).toDocument();
    }
  }

  private RawDocument run(Coordinators primary) {
    return primary.run(operation(), "counting", "d.c", RawDocument.EMPTY);
  }

  @Test
  void phasesRunInOrderAndLeaveNothing() {
    RawDocument result = run(node.primary(PhasePoints.NONE));
    assertThat(done).containsExactly("choose", "prepare", "commit", "finish");
    assertThat(result.get("chosen")).isNotNull();
    assertThat(node.all(operation())).isEmpty();
  }

  /** Its client has the answer already, and may have changed something since. */
  @Test
  void aRunThatIsOverIsNotJoined() throws Exception {
    var asked = new CompletableFuture<Void>();
    Coordinators primary = node.primary((point, operation) -> asked.join());
    CompletableFuture<RawDocument> first = primary.start("counting", "d.c", RawDocument.EMPTY);
    CompletableFuture<RawDocument> second =
        first.thenCompose(told -> primary.start("counting", "d.c", RawDocument.EMPTY));
    asked.complete(null);
    assertThat(second.get(1, TimeUnit.MINUTES)).isNotEqualTo(first.join());
    assertThat(done).hasSize(8);
  }

  @Test
  void aRunThatIsOverIsNotFound() throws Exception {
    var asked = new CompletableFuture<Void>();
    Coordinators primary = node.primary((point, operation) -> asked.join());
    CompletableFuture<RawDocument> run = primary.start("counting", "d.c", RawDocument.EMPTY);
    assertThat(primary.find("counting", "d.c")).isSameAs(run);
    assertThat(primary.isRunning("counting", "d.c", RawDocument.EMPTY)).isTrue();
    // As early as the answer reaches a client.
    CompletableFuture<Boolean> found =
        run.thenApply(
            told ->
                primary.find("counting", "d.c") != null
                    || primary.isRunning("counting", "d.c", RawDocument.EMPTY));
    asked.complete(null);
    assertThat(found.get(1, TimeUnit.MINUTES)).isFalse();
  }

  @Test
  void aCheckEndsItBeforeAnythingIsStored() {
    Coordinators primary = node.primary(PhasePoints.NONE);
    assertThatThrownBy(
            () -> primary.run(operation(), "counting", "d.c", RawDocument.parse("{refuse: 1}")))
        .hasMessage("refused");
    assertThat(primary.run(operation(), "counting", "d.c", RawDocument.parse("{done: 1}")))
        .isEqualTo(RawDocument.parse("{already: true}"));
    assertThat(done).isEmpty();
    assertThat(node.all(operation())).isEmpty();
  }

  /** Drivers and routers ask again after that, and not after an internal error. */
  @Test
  void lostLeadershipIsCalledSo() {
    Coordinators primary = node.primary(PhasePoints.NONE);
    node.loseLeadership();
    assertThatThrownBy(() -> run(primary))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
  }

  @Test
  void theNextPrimaryGoesOnFromEveryPoint() {
    for (String point : CoordinatorTestNode.pointsOf(counting)) {
      done.clear();
      assertThatThrownBy(() -> run(node.primary(crashAt(point)))).hasMessageContaining(point);
      assertThat(node.all(operation())).hasSize(1);
      boolean chosen = node.all(operation()).getFirst().toJson().contains("chosen");
      Coordinators next = node.primary(PhasePoints.NONE);
      next.begin(operation());
      // This one waits for the lock of the first.
      next.run(operation(), "counting", "d.c", RawDocument.parse("{done: 1}"));
      assertThat(done).as(point).endsWith("finish").contains("choose", "prepare", "commit");
      assertThat(done.stream().filter("choose"::equals))
          .as("what is stored is not chosen again: " + point)
          .hasSize(chosen || point.equals("counting.choose.before") ? 1 : 2);
      assertThat(node.all(operation())).isEmpty();
    }
  }

  @Test
  void aRequestWhoseAnswerIsLostGetsItFromTheNextPrimary() {
    for (String point : List.of("counting.end.before", "counting.end.after")) {
      UUID key = UUID.nameUUIDFromBytes(point.getBytes(StandardCharsets.UTF_8));
      done.clear();
      assertThatThrownBy(() -> run(node.primary(crashAt(point)), key)).hasMessageContaining(point);
      Coordinators next = node.primary(PhasePoints.NONE);
      next.begin(operation());
      RawDocument result = run(next, key);
      assertThat(done).as(point).containsOnlyOnce("choose", "prepare", "commit");
      assertThat(run(next, key)).isEqualTo(result);
      assertThat(node.all(operation())).isEmpty();
    }
  }

  private static RawDocument run(Coordinators primary, UUID key) {
    return primary.run(operation(), key, "counting", "d.c", RawDocument.EMPTY);
  }

  @Test
  void aRequestThatHasFailedFailsInTheSameWayAgain() {
    UUID key = UUID.nameUUIDFromBytes(new byte[] {1});
    failing.set("prepare");
    failures.set(1);
    Coordinators first = node.primary(crashAt("counting.end.after"));
    assertThatThrownBy(() -> run(first, key)).hasMessageContaining("crash");
    assertThatThrownBy(() -> run(node.primary(PhasePoints.NONE), key)).hasMessage("prepare failed");
    assertThat(done).containsExactly("choose", "prepare", "undo");
  }

  /** A shard that is away keeps it from being undone, and not the client from its answer. */
  @Test
  void aFailureIsToldBeforeItCanBeUndone() throws Exception {
    failing.set("prepare");
    failures.set(1);
    var away = new CountDownLatch(1);
    Coordinators primary =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.undo.before") && done.contains("undo")) {
                await(away);
              } else if (point.equals("counting.undo.before")) {
                failing.set("undo");
                failures.set(1);
              }
            });
    assertThatThrownBy(() -> run(primary)).hasMessage("prepare failed");
    assertThat(node.all(operation())).hasSize(1);
    away.countDown();
    primary.run(operation(), "counting", "d.c", RawDocument.parse("{done: 1}"));
    assertThat(node.all(operation())).isEmpty();
  }

  @Test
  void aPhaseThatMeetsTheEndOfLeadershipIsNotAFailure() {
    lost.set("prepare");
    run(node.primary(PhasePoints.NONE));
    assertThat(done).containsExactly("choose", "prepare", "prepare", "commit", "finish");
  }

  @Test
  void aFailureBeforeTheCommitIsUndone() {
    failing.set("prepare");
    failures.set(1);
    assertThatThrownBy(() -> run(node.primary(PhasePoints.NONE))).hasMessage("prepare failed");
    assertThat(done).containsExactly("choose", "prepare", "undo");
    assertThat(node.all(operation())).isEmpty();
  }

  @Test
  void theNextPrimaryUndoesWhatHasFailed() {
    for (String point : List.of("counting.undo.before", "counting.undo.after")) {
      failing.set("prepare");
      failures.set(1);
      assertThatThrownBy(() -> run(node.primary(crashAt(point)))).hasMessageContaining(point);
      done.clear();
      Coordinators next = node.primary(PhasePoints.NONE);
      next.begin(operation());
      // Another request for the same resource waits for the end of the first.
      next.run(operation(), "counting", "d.c", RawDocument.parse("{again: 1}"));
      assertThat(done).as(point).containsExactly("undo", "choose", "prepare", "commit", "finish");
      assertThat(node.all(operation())).isEmpty();
    }
  }

  @Test
  void afterTheCommitPhasesAreRepeated() {
    failing.set("commit");
    failures.set(3);
    run(node.primary(PhasePoints.NONE));
    assertThat(done)
        .containsExactly("choose", "prepare", "commit", "commit", "commit", "commit", "finish");
  }

  @Test
  void theSameRequestIsJoinedAndAnotherOneWaits() throws Exception {
    var reached = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Coordinators primary =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.prepare.before")) {
                reached.countDown();
                await(goOn);
              }
            });
    var first = CompletableFuture.supplyAsync(() -> run(primary));
    reached.await();
    CompletableFuture<RawDocument> second = primary.start("counting", "d.c", RawDocument.EMPTY);
    var other =
        CompletableFuture.supplyAsync(
            () -> primary.run(operation(), "counting", "d.c", RawDocument.parse("{x: 1}")));
    var elsewhere = CompletableFuture.supplyAsync(() -> elsewhere(primary));
    goOn.countDown();
    assertThat(second.get()).isEqualTo(first.get());
    assertThat(other.get()).isNotEqualTo(first.get());
    assertThat(elsewhere.get()).isNotEqualTo(first.get());
    assertThat(done).hasSize(12);
  }

  private static RawDocument elsewhere(Coordinators primary) {
    return primary.run(operation(), "counting", "d.other", RawDocument.EMPTY);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theEndOfLeadershipEndsItWhereItIs() throws Exception {
    var reached = new CountDownLatch(1);
    Coordinators primary =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.commit.before")) {
                reached.countDown();
                operation.await(nanos -> false);
              }
            });
    var first = CompletableFuture.supplyAsync(() -> run(primary));
    reached.await();
    primary.end();
    assertThatThrownBy(first::join).hasCauseInstanceOf(CommandException.class);
    assertThat(done).containsExactly("choose", "prepare");
    Coordinators next = node.primary(PhasePoints.NONE);
    next.begin(operation());
    next.run(operation(), "counting", "d.c", RawDocument.parse("{done: 1}"));
    assertThat(done).containsExactly("choose", "prepare", "commit", "finish");
  }

  /** What is stored may be newer, and others may have acted on it. */
  @Test
  void aRunOfAnEarlierTermStoresNothing() throws Exception {
    var reached = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Coordinators primary =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.prepare.after")) {
                reached.countDown();
                await(goOn);
              }
            });
    var first = CompletableFuture.supplyAsync(() -> run(primary));
    reached.await();
    List<RawDocument> before = node.all(operation());
    node.nextTerm();
    goOn.countDown();
    primary.end();
    assertThatThrownBy(first::join).hasCauseInstanceOf(CommandException.class);
    assertThat(node.all(operation())).isEqualTo(before);
    assertThat(done).doesNotContain("undo", "commit");
  }

  /** A request that comes between two terms would run beside the one that the second resumes. */
  @Test
  void nothingBeginsBetweenTerms() {
    Coordinators primary = node.primary(PhasePoints.NONE);
    primary.end();
    assertThatThrownBy(() -> run(primary))
        .isInstanceOfSatisfying(
            CommandException.class,
            error ->
                assertThat(error.code()).isEqualTo(ErrorCode.INTERRUPTED_DUE_TO_REPL_STATE_CHANGE));
    assertThat(done).isEmpty();
    primary.begin(operation());
    run(primary);
    assertThat(done).containsExactly("choose", "prepare", "commit", "finish");
  }

  @Test
  void aTermThatBeginsTwiceResumesOnce() throws Exception {
    assertThatThrownBy(() -> run(node.primary(crashAt("counting.commit.before"))))
        .hasMessageContaining("commit");
    done.clear();
    var reached = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    Coordinators next =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.commit.before")) {
                reached.countDown();
                await(goOn);
              }
            });
    next.begin(operation());
    reached.await();
    next.begin(operation());
    goOn.countDown();
    next.run(operation(), "counting", "d.c", RawDocument.parse("{done: 1}"));
    assertThat(done).containsExactly("commit", "finish");
  }

  @Test
  void aWaitEndsWithItsOperation() {
    Coordinators primary =
        node.primary(
            (point, operation) -> {
              if (point.equals("counting.prepare.before")) {
                operation.await(nanos -> false);
              }
            });
    OperationContext killed = operation();
    killed.kill(ErrorCode.INTERRUPTED);
    assertThatThrownBy(() -> primary.run(killed, "counting", "d.c", RawDocument.EMPTY))
        .isInstanceOf(CommandException.class);
    primary.end();
  }
}
