package dev.wisent.cluster.shard.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.cluster.coordinator.CallNumber;
import dev.wisent.operation.OperationContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class CallOrderTest {
  private final CallOrder order = new CallOrder();
  private final List<String> run = new ArrayList<>();

  private void call(String donor, long attempt, long call) {
    order.run(
        OperationContext.internal(Clock.system()),
        donor,
        new CallNumber(attempt, call),
        () -> run.add(donor + attempt + call));
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
  void aCallIsRepeatedUntilTheNextOne() {
    call("a", 1, 1);
    call("a", 1, 1);
    assertThat(run).hasSize(2);
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
                    () -> {
                      begun.countDown();
                      release.join();
                      run.add("first");
                    }),
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
