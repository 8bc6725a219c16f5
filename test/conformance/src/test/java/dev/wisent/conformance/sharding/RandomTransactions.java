package dev.wisent.conformance.sharding;

import dev.wisent.conformance.sharding.SameAnswers.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random transactions of several statements, which are committed or aborted. */
final class RandomTransactions {
  private final RandomGenerator random;
  private final RandomReads reads;
  private final RandomWriteCommands writes;
  private final RandomKeyChanges keyChanges;

  RandomTransactions(
      RandomGenerator random,
      RandomReads reads,
      RandomWriteCommands writes,
      RandomKeyChanges keyChanges) {
    this.random = random;
    this.reads = reads;
    this.writes = writes;
    this.keyChanges = keyChanges;
  }

  void run(SameAnswers same) {
    var before = writes.state();
    var statements = new ArrayList<Statement>();
    for (int i = 1 + random.nextInt(5); i >= 0; i--) {
      statements.add(statement());
    }
    if (!same.sameTransaction(statements, random.nextInt(4) > 0)) {
      writes.restore(before);
    }
  }

  private Statement statement() {
    return switch (random.nextInt(5)) {
      case 0 -> new Statement(keyChanges.next(), true);
      case 1, 2 -> new Statement(writes.inTransaction(), true);
      default -> read();
    };
  }

  /** What MongoDB has in transactions: {@code count} is no such command, and distinct has rules. */
  private Statement read() {
    RandomReads.Read read = reads.next();
    while (List.of("{count", "{distinct").stream().anyMatch(read.command()::startsWith)) {
      read = reads.next();
    }
    return new Statement(read.command(), read.ordered());
  }
}
