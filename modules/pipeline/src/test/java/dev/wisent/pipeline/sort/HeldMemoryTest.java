package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.query.interrupt.WorkMeter;
import org.junit.jupiter.api.Test;

class HeldMemoryTest {
  private static final long BUDGET_BYTES = 16_000;
  private static final long SMALL_BYTES = BUDGET_BYTES / 16;

  private final MemoryBudget budget = new MemoryBudget(BUDGET_BYTES);

  private SortSpace space(long bytesMax) {
    return new SortSpace(bytesMax, null, WorkMeter.unchecked(), budget);
  }

  /** Of those that cannot go on with less, one at a time has more than there is. */
  @Test
  void whatIsRequiredBeyondTheBudgetIsForOneQuery() throws Exception {
    SortSpace firstSpace = space(Long.MAX_VALUE);
    SortSpace secondSpace = space(Long.MAX_VALUE);
    HeldMemory first = firstSpace.memory();
    HeldMemory second = secondSpace.memory();
    first.require(2 * BUDGET_BYTES);
    assertThat(first.isOverdrawn()).isTrue();
    // The same query is not held up by itself.
    HeldMemory other = firstSpace.memory();
    other.require(BUDGET_BYTES);
    var waiting = new Thread(() -> second.require(2 * BUDGET_BYTES));
    waiting.start();
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    other.shrink(0);
    assertThat(second.isOverdrawn()).isFalse();
    first.shrink(0);
    assertThat(first.isOverdrawn()).isFalse();
    waiting.join();
    assertThat(second.isOverdrawn()).isTrue();
    secondSpace.close();
    first.require(2 * BUDGET_BYTES);
    firstSpace.close();
  }

  @Test
  void oneMayHoldNoMoreThanItsOwnLimit() {
    HeldMemory memory = space(5000).memory();
    assertThat(memory.allows(5000)).isTrue();
    assertThat(memory.allows(5001)).isFalse();
    assertThat(memory.bytesMax()).isEqualTo(5000);
  }

  @Test
  void allTogetherMayHoldNoMoreThanTheBudget() {
    HeldMemory first = space(Long.MAX_VALUE).memory();
    HeldMemory second = space(Long.MAX_VALUE).memory();
    assertThat(first.allows(10_000)).isTrue();
    assertThat(second.allows(10_000)).isFalse();
    assertThat(second.allows(6000)).isTrue();
    assertThat(first.allows(11_000)).isFalse();

    second.shrink(0);
    assertThat(first.allows(11_000)).isTrue();
    assertThat(first.bytesMax()).isEqualTo(BUDGET_BYTES);
  }

  @Test
  void smallHoldersGetMemoryBeyondTheBudget() {
    assertThat(space(Long.MAX_VALUE).memory().allows(BUDGET_BYTES)).isTrue();
    HeldMemory small = space(Long.MAX_VALUE).memory();
    assertThat(small.allows(SMALL_BYTES)).isTrue();
    assertThat(small.allows(SMALL_BYTES + 1)).isFalse();
  }

  @Test
  void allSmallHoldersTogetherAreBounded() {
    assertThat(space(Long.MAX_VALUE).memory().allows(BUDGET_BYTES)).isTrue();
    for (int i = 0; i < 8; i++) {
      assertThat(space(Long.MAX_VALUE).memory().allows(SMALL_BYTES)).isTrue();
    }
    assertThat(budget.taken()).isEqualTo(BUDGET_BYTES + BUDGET_BYTES / 2);
    HeldMemory late = space(Long.MAX_VALUE).memory();
    assertThat(late.allows(SMALL_BYTES)).isFalse();
    assertThat(late.allows(BUDGET_BYTES / 1024)).isTrue();
  }

  @Test
  void takesInPiecesAndGivesAllBack() {
    SortSpace space = space(Long.MAX_VALUE);
    HeldMemory memory = space.memory();
    assertThat(memory.allows(1)).isTrue();
    assertThat(budget.taken()).isEqualTo(SMALL_BYTES);
    assertThat(memory.allows(SMALL_BYTES)).isTrue();
    assertThat(budget.taken()).isEqualTo(SMALL_BYTES);

    memory.shrink(10);
    assertThat(budget.taken()).isEqualTo(10);
    assertThat(memory.allows(3000)).isTrue();
    space.close();
    assertThat(budget.taken()).isZero();
    memory.shrink(0);
    space.close();
    assertThat(budget.taken()).isZero();
  }
}
