package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.Workers;
import dev.wisent.operation.transaction.EndedTransaction;
import dev.wisent.operation.transaction.TransactionFigures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that end in every way leave nothing behind. */
class EndedTransactionsTest {
  private static final int TRANSACTIONS = 10_000;

  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.openWithOplog(directory);
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private NodeTransactions transactions() {
    return database.database().transactions();
  }

  @Test
  void manyThatAreAbortedLeaveNothing() {
    database.insert("{_id: 0, n: 0}");
    transactions().limits().lifetimeSeconds(0);
    for (int i = 1; i <= TRANSACTIONS; i++) {
      var transaction = TestTransaction.of(database).insert("{_id: %d, a: [1]}".formatted(i));
      transaction.update("{_id: 0}", "{$inc: {n: 1}}");
      switch (i % 4) {
        case 0 -> transaction.abort();
        case 1 -> assertThat(transactions().abortExpired()).isEqualTo(1);
        case 2 -> {
          var conflicting = TestTransaction.of(database);
          error(() -> conflicting.update("{_id: 0}", "{$inc: {n: 1}}"));
          transaction.abort();
        }
        default -> transaction.next().insert("{_id: -1}").abort();
      }
    }
    TransactionFigures figures = transactions().figures();
    assertThat(figures.open()).isZero();
    assertThat(figures.latches()).isZero();
    assertThat(figures.snapshots()).isZero();
    assertThat(figures.bufferedBytes()).isZero();
    assertThat(figures.committed()).isZero();
    assertThat(figures.aborted()).isEqualTo(figures.started()).isGreaterThan(TRANSACTIONS);
    assertThat(database.find("{}")).containsExactly("{\"_id\": 0, \"n\": 0}");
  }

  @Test
  void figuresShowWhatIsOpen() {
    database.insert("{_id: 0, n: 0}");
    var transaction = TestTransaction.of(database).insert("{_id: 1}");
    transaction.update("{_id: 0}", "{$inc: {n: 1}}");
    TransactionFigures figures = transactions().figures();
    assertThat(figures.open()).isEqualTo(1);
    assertThat(figures.inactive()).isEqualTo(1);
    assertThat(figures.snapshots()).isEqualTo(1);
    assertThat(figures.latches()).isEqualTo(2);
    assertThat(figures.bufferedBytes()).isPositive();
    assertThat(transactions().open().getFirst().id()).isEqualTo(transaction.id());
    transaction.commit();
    assertThat(transactions().figures()).isEqualTo(new TransactionFigures(1, 1, 0, 0, 0, 0, 0, 0));
  }

  @Test
  void theListenerIsToldOfEveryEnd() {
    List<EndedTransaction> ended = new ArrayList<>();
    transactions().onEnd(ended::add);
    TestTransaction.of(database).insert("{_id: 1}").commit();
    TestTransaction.of(database).insert("{_id: 2}").abort();
    TestTransaction.of(database).insert("{_id: 3}");
    assertThat(transactions().abortAll(any -> true, ErrorCode.INTERRUPTED)).isEqualTo(1);
    assertThat(ended).extracting(EndedTransaction::committed).containsExactly(true, false, false);
    assertThat(ended)
        .extracting(EndedTransaction::abortedBy)
        .containsExactly(null, null, ErrorCode.INTERRUPTED);
  }

  @Test
  void aStatementThatRunsIsEndedFirst() {
    var transaction = TestTransaction.of(database).insert("{_id: 1}");
    var operation = database.operation();
    var failure =
        error(
            () ->
                transaction.run(
                    operation,
                    same -> {
                      assertThat(transactions().abortAll(any -> true, ErrorCode.INTERRUPTED))
                          .isEqualTo(1);
                      assertThat(transactions().figures().latches()).isEqualTo(1);
                      same.checkNow();
                      return null;
                    }));
    assertThat(failure.code()).isEqualTo(ErrorCode.INTERRUPTED);
    assertThat(transactions().figures().open()).isZero();
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
  }

  @Test
  void moneyIsNeitherMadeNorLost() {
    int accounts = 6;
    int transfers = 120;
    for (int id = 0; id < accounts; id++) {
      database.insert("{_id: %d, balance: 100}".formatted(id));
    }
    var conflicts = new AtomicInteger();
    Workers.run(
        4,
        thread -> {
          var random = new SplittableRandom(thread);
          for (int i = 0; i < transfers; i++) {
            while (!transfer(random, accounts, thread == 0)) {
              conflicts.incrementAndGet();
            }
          }
        });
    assertThat(database.find("{}").stream().mapToInt(EndedTransactionsTest::balance).sum())
        .isEqualTo(accounts * 100);
  }

  /** Moves money, or only looks at it; false after a conflict. */
  private boolean transfer(SplittableRandom random, int accounts, boolean reader) {
    var transaction = TestTransaction.of(database);
    int total = transaction.find("{}").stream().mapToInt(EndedTransactionsTest::balance).sum();
    assertThat(total).isEqualTo(accounts * 100);
    if (reader) {
      transaction.commit();
      return true;
    }
    try {
      int from = random.nextInt(accounts);
      int to = (from + 1 + random.nextInt(accounts - 1)) % accounts;
      transaction.update("{_id: %d}".formatted(from), "{$inc: {balance: -5}}");
      transaction.update("{_id: %d}".formatted(to), "{$inc: {balance: 5}}");
      transaction.commit();
      return true;
    } catch (CommandException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.WRITE_CONFLICT);
      return false;
    }
  }

  private static int balance(String account) {
    return RawDocument.parse(account).get("balance").asInt32();
  }
}
