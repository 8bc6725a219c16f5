package dev.wisent.cluster.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.operation.OperationContext;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ResourceLocksTest {
  private static final Set<ResourceLock> CHANGE = ResourceLock.ofCollection("db.c");

  private final ResourceLocks locks = new ResourceLocks();

  private static Set<ResourceLock> migration(String from, String to) {
    return Set.of(
        new ResourceLock("db", false),
        new ResourceLock("db.c", false),
        new ResourceLock("shard/" + from, true),
        new ResourceLock("shard/" + to, true));
  }

  private static OperationContext operation() {
    return OperationContext.internal(Clock.system());
  }

  private CompletableFuture<Void> acquiring(Set<ResourceLock> wanted) {
    int before = locks.waitingClaims();
    CompletableFuture<Void> taken =
        CompletableFuture.runAsync(
            () -> locks.acquire(wanted, operation()), run -> Thread.ofVirtual().start(run));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!taken.isDone() && locks.waitingClaims() == before) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return taken;
  }

  @Test
  void migrationsOfDifferentShardsRunSideBySide() {
    locks.acquire(migration("s0", "s1"), operation());
    locks.acquire(migration("s2", "s3"), operation());
    assertThat(locks.waitingClaims()).isZero();
  }

  /** Otherwise a balancer that starts one migration after the other holds up a change for ever. */
  @Test
  void migrationsThatBeginLaterWaitForAChange() throws Exception {
    locks.acquire(migration("s0", "s1"), operation());
    CompletableFuture<Void> change = acquiring(CHANGE);
    CompletableFuture<Void> later = acquiring(migration("s2", "s3"));
    assertThat(change).isNotDone();
    assertThat(later).isNotDone();
    locks.release(migration("s0", "s1"));
    change.get(60, TimeUnit.SECONDS);
    assertThat(later).isNotDone();
    locks.release(CHANGE);
    later.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aChangeThatGivesUpHoldsUpNothing() throws Exception {
    locks.acquire(migration("s0", "s1"), operation());
    OperationContext limited = operation();
    limited.limitMillis(1);
    assertThatThrownBy(() -> locks.acquire(CHANGE, limited)).isInstanceOf(CommandException.class);
    locks.acquire(migration("s2", "s3"), operation());
    assertThat(locks.waitingClaims()).isZero();
  }

  @Test
  void otherCollectionsDoNotWait() throws Exception {
    locks.acquire(migration("s0", "s1"), operation());
    CompletableFuture<Void> change = acquiring(CHANGE);
    locks.acquire(ResourceLock.ofCollection("db.other"), operation());
    assertThat(change).isNotDone();
    locks.release(migration("s0", "s1"));
    change.get(60, TimeUnit.SECONDS);
  }
}
