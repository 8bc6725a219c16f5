package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.database.gate.WriteGate;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class CallOrderTest {
  private final WriteGate gate =
      WriteGate.closed(() -> new CommandException(ErrorCode.NOT_WRITABLE_PRIMARY, "not primary"));
  private final CallOrder order = new CallOrder(gate);
  private final List<String> run = new ArrayList<>();

  private void call(String donor, long attempt, long call) {
    order.run(
        OperationContext.internal(Clock.system()),
        donor,
        new CallNumber(attempt, call),
        fields -> run.add(donor + attempt + call),
        new BsonBuilder());
  }

  private RawDocument reply(long call, Consumer<BsonBuilder> work) {
    var reply = new BsonBuilder();
    OperationContext operation = OperationContext.internal(Clock.system());
    order.run(operation, "a", new CallNumber(1, call), work, reply);
    return reply.toDocument();
  }

  private void assertRefused(long attempt, long call) {
    assertThatThrownBy(() -> call("a", attempt, call))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("a later call");
  }

  @Test
  void aCallThatComesAfterALaterOneIsRefused() {
    call("a", 1, 1);
    call("a", 1, 2);
    assertRefused(1, 1);
    call("a", 1, 3);
    assertThat(run).containsExactly("a11", "a12", "a13");
  }

  @Test
  void aCallThatHasFailedIsRunAgain() {
    assertThatThrownBy(
            () ->
                reply(
                    1,
                    fields -> {
                      fields.appendInt32("half", 1);
                      throw new IllegalStateException("interrupted");
                    }))
        .hasMessage("interrupted");
    assertThat(reply(1, fields -> fields.appendInt32("n", 2)))
        .isEqualTo(new BsonBuilder().appendInt32("n", 2).toDocument());
  }

  /** It could be interrupted half-way, where it replaces documents, after the donor has gone on. */
  @Test
  void aCallThatIsDoneIsOnlyAnswered() {
    RawDocument first = reply(1, fields -> fields.appendInt32("n", 2));
    assertThat(reply(1, fields -> run.add("again"))).isEqualTo(first);
    assertThat(run).isEmpty();
  }

  @Test
  void aCallWritesInTheTermInWhichItCame() {
    OperationContext operation = OperationContext.internal(Clock.system());
    order.run(operation, "a", new CallNumber(1, 1), fields -> {}, new BsonBuilder());
    gate.open();
    gate.close();
    assertThat(operation.writes().mayBeIn(gate.closings())).isFalse();
  }

  @Test
  void aLaterAttemptBeginsAnew() {
    call("a", 1, 9);
    call("a", 2, 1);
    assertRefused(1, 10);
    assertThat(run).containsExactly("a19", "a21");
  }

  @Test
  void donorsDoNotMatterToEachOther() {
    call("a", 2, 2);
    call("b", 1, 1);
    assertThat(run).containsExactly("a22", "b11");
  }

  @Test
  void aCallWaitsForTheOneBefore() throws Exception {
    var begun = new CountDownLatch(1);
    var release = new CompletableFuture<Void>();
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(
            () ->
                order.run(
                    OperationContext.internal(Clock.system()),
                    "a",
                    new CallNumber(1, 1),
                    fields -> {
                      begun.countDown();
                      release.join();
                      run.add("first");
                    },
                    new BsonBuilder()),
            Thread::startVirtualThread);
    begun.await();
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(() -> call("a", 1, 2), Thread::startVirtualThread);
    release.complete(null);
    first.join();
    second.join();
    assertThat(run).containsExactly("first", "a12");
  }
}
