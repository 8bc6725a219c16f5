package dev.wisent.database.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.sort.MemoryBudget;

/**
 * The memory of a transaction's writes before their commit. It is taken from the node's budget in
 * pieces. For one thread at a time.
 */
final class TransactionMemory implements AutoCloseable {
  private static final long PIECE_BYTES = 64 << 10;

  private final MemoryBudget budget;
  private long taken;

  TransactionMemory(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Holds so many bytes in all; fails if they are more than there is. */
  void hold(long bytes) {
    if (bytes <= taken) {
      return;
    }
    long more = Math.max(bytes - taken, PIECE_BYTES);
    if (!budget.take(more, bytes)) {
      throw new CommandException(
          ErrorCode.TRANSACTION_TOO_LARGE_FOR_CACHE,
          "The writes of the transaction need "
              + bytes
              + " bytes of memory, which other operations have taken");
    }
    taken += more;
  }

  @Override
  public void close() {
    budget.add(-taken);
    taken = 0;
  }
}
