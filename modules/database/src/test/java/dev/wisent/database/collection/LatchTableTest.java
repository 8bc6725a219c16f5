package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.Workers;
import dev.wisent.database.collection.LatchTable.Conflict;
import dev.wisent.database.collection.LatchTable.Holder;
import dev.wisent.operation.OperationContext;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LatchTableTest {
  private final LatchTable table = new LatchTable();

  @Test
  void aLatchIsHeldByOne() {
    Holder one = table.newHolder();
    Holder other = table.newHolder();
    assertThat(one.latchRecord(7, 1)).isNull();
    assertThat(other.latchRecord(7, 2)).isNull();
    assertThat(other.latchRecord(8, 1)).isNull();
    Conflict conflict = other.latchRecord(7, 1);
    assertThat(conflict).isNotNull();
    assertThat(conflict.isWith(one)).isTrue();
    assertThat(conflict.isWith(other)).isFalse();
    assertThat(table.size()).isEqualTo(3);
  }

  @Test
  void aHolderConflictsWithItselfToo() {
    Holder holder = table.newHolder();
    assertThat(holder.latchKey(7, new byte[] {1})).isNull();
    Conflict conflict = holder.latchKey(7, new byte[] {1});
    assertThat(conflict.isWith(holder)).isTrue();
  }

  @Test
  void keysAreComparedByTheirBytes() {
    Holder one = table.newHolder();
    Holder other = table.newHolder();
    assertThat(one.latchKey(7, new byte[] {1, 2})).isNull();
    assertThat(other.latchKey(7, new byte[] {1, 2})).isNotNull();
    assertThat(other.latchKey(7, new byte[] {1, 3})).isNull();
    assertThat(other.latchKey(8, new byte[] {1, 2})).isNull();
    assertThat(other.latchRecord(7, 0)).as("a record is no key").isNull();
  }

  @Test
  void whatCameAfterAMarkCanBeGivenBack() {
    Holder holder = table.newHolder();
    holder.latchRecord(7, 1);
    int mark = holder.mark();
    holder.latchRecord(7, 2);
    holder.latchRecord(7, 3);
    holder.releaseAfter(mark);
    assertThat(table.size()).isEqualTo(1);
    assertThat(table.newHolder().latchRecord(7, 2)).isNull();
    assertThat(table.newHolder().latchRecord(7, 1)).isNotNull();
  }

  @Test
  void aClosedHolderCanBeUsedAgain() {
    Holder holder = table.newHolder();
    holder.latchRecord(7, 1);
    holder.close();
    assertThat(table.size()).isZero();
    assertThat(holder.latchRecord(7, 1)).isNull();
    holder.close();
    assertThat(table.size()).isZero();
  }

  @Test
  void waitingEndsWhenTheHolderLetsGo() throws InterruptedException {
    Holder holder = table.newHolder();
    holder.latchRecord(7, 1);
    Conflict conflict = table.newHolder().latchRecord(7, 1);
    var free = new AtomicBoolean();
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  conflict.await(OperationContext.internal(Clock.system()));
                  free.set(true);
                });
    Workers.await("the waiter to wait", () -> Workers.isWaiting(waiter));
    assertThat(free).isFalse();
    holder.close();
    waiter.join();
    assertThat(free).isTrue();
  }

  @Test
  void nobodyWaitsForALatchThatIsFreeAlready() {
    Holder holder = table.newHolder();
    holder.latchRecord(7, 1);
    Conflict conflict = table.newHolder().latchRecord(7, 1);
    holder.close();
    conflict.await(OperationContext.internal(Clock.system()));
    // Another thread has it now: the one that was waited for is done all the same.
    table.newHolder().latchRecord(7, 1);
    conflict.await(OperationContext.internal(Clock.system()));
  }

  @Test
  void anInterruptEndsTheWaitAndIsKept() throws InterruptedException {
    Holder holder = table.newHolder();
    holder.latchRecord(7, 1);
    Conflict conflict = table.newHolder().latchRecord(7, 1);
    var code = new AtomicReference<ErrorCode>();
    var interrupted = new AtomicBoolean();
    Thread waiter =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    conflict.await(OperationContext.internal(Clock.system()));
                  } catch (CommandException e) {
                    code.set(e.code());
                  }
                  interrupted.set(Thread.interrupted());
                });
    Workers.await("the waiter to wait", () -> Workers.isWaiting(waiter));
    waiter.interrupt();
    waiter.join();
    holder.close();
    assertThat(code).hasValue(ErrorCode.INTERRUPTED);
    assertThat(interrupted).isTrue();
  }

  @Test
  void latchesExcludeEachOtherUnderLoad() {
    int records = 3;
    var inside = new AtomicInteger[records];
    for (int i = 0; i < records; i++) {
      inside[i] = new AtomicInteger();
    }
    var turns = new AtomicInteger();
    Workers.run(
        6,
        thread -> {
          Holder holder = table.newHolder();
          for (int i = 0; i < 2_000; i++) {
            int record = (thread + i) % records;
            Conflict conflict;
            while ((conflict = holder.latchRecord(7, record)) != null) {
              holder.close();
              conflict.await(OperationContext.internal(Clock.system()));
            }
            assertThat(inside[record].incrementAndGet()).isEqualTo(1);
            turns.incrementAndGet();
            inside[record].decrementAndGet();
            holder.close();
          }
        });
    assertThat(turns.get()).isEqualTo(12_000);
    assertThat(table.size()).isZero();
  }
}
