package dev.wisent.database.session;

import java.util.concurrent.atomic.LongAdder;

/** How often writes were retried since the start of the node. Thread-safe. */
public final class RetryCounts {
  private final LongAdder commands = new LongAdder();
  private final LongAdder statements = new LongAdder();
  private final LongAdder records = new LongAdder();

  void add(boolean command, int statementCount, int recordCount) {
    if (command) {
      commands.increment();
    }
    statements.add(statementCount);
    records.add(recordCount);
  }

  /** Commands with a statement that was done already. */
  public long commands() {
    return commands.sum();
  }

  public long statements() {
    return statements.sum();
  }

  /** How often records of sessions were written. */
  public long records() {
    return records.sum();
  }
}
