package dev.wisent.cluster.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedTransaction;
import dev.wisent.cluster.call.TransactionCounts.CommitType;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.SessionId;
import dev.wisent.server.command.CommandRequest;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many transactions a router remembers, and for how long. */
class RouterTransactionsTest {
  private static final int COUNT_MAX = 100;

  private final ManualClock clock = new ManualClock();
  private final RouterTransactions transactions =
      new RouterTransactions(null, new SnapshotTimes(null, null), clock, COUNT_MAX);

  private RoutedTransaction begin(int session, long number) {
    var command = new BsonBuilder().appendString("find", "c");
    command.startDocument("lsid").appendUuid("id", new UUID(1, session)).end();
    command.appendInt64("txnNumber", number).appendBoolean("autocommit", false);
    command.appendBoolean("startTransaction", true).appendString("$db", "d");
    CommandRequest request = CommandRequest.of(command.toDocument(), List.of(), false);
    request.readGenericArguments();
    return transactions.of(request, OperationContext.internal(clock));
  }

  private List<RoutedTransaction> fill() {
    return IntStream.range(0, COUNT_MAX).mapToObj(i -> begin(i, 1)).toList();
  }

  private static void commit(RoutedTransaction transaction) {
    transaction.committed(CommitType.SINGLE_SHARD, 1);
  }

  private void assertRefused(int session) {
    assertThatThrownBy(() -> begin(session, 1))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_LOGICAL_SESSIONS);
              assertThat(e.labels()).containsExactly("TransientTransactionError");
            });
  }

  @Test
  void thoseThatHaveEndedMakeRoom() {
    for (int i = 0; i < 10 * COUNT_MAX; i++) {
      commit(begin(i, 1));
      if (i % (COUNT_MAX / 2) == 0) {
        clock.advance(1, TimeUnit.SECONDS);
      }
      assertThat(transactions.size()).isLessThanOrEqualTo(COUNT_MAX);
    }
  }

  @Test
  void thoseThatAreOpenStay() {
    List<RoutedTransaction> open = fill();
    assertRefused(COUNT_MAX);
    assertThat(open).noneMatch(RoutedTransaction::isAborted);
    // The next one of a session takes the place of the one before.
    var unused = begin(0, 2);
    assertThat(open.getFirst().isAborted()).isTrue();
  }

  @Test
  void oneThatIsAtWorkStays() {
    List<RoutedTransaction> open = fill();
    open.forEach(RouterTransactionsTest::commit);
    open.getFirst().enter();
    var unused = begin(COUNT_MAX, 1);
    assertThat(transactions.size()).isEqualTo(2);
  }

  @Test
  void itIsLookedForEndedOnesOnceInASecond() {
    List<RoutedTransaction> open = fill();
    assertRefused(COUNT_MAX);
    open.forEach(RouterTransactionsTest::commit);
    assertRefused(COUNT_MAX);
    clock.advance(1, TimeUnit.SECONDS);
    var unused = begin(COUNT_MAX, 1);
    assertThat(transactions.size()).isOne();
  }

  @Test
  void theEndOfASessionForgetsItsTransaction() {
    RoutedTransaction ended = begin(1, 1);
    RoutedTransaction other = begin(2, 1);
    SessionId session = ended.id().session();
    assertThat(transactions.forget(session::equals)).isOne();
    assertThat(ended.isAborted()).isTrue();
    assertThat(transactions.find(ended.id())).isNull();
    assertThat(transactions.find(other.id())).isSameAs(other);
    commit(other);
    assertThat(transactions.forget(any -> true)).isZero();
    assertThat(transactions.size()).isZero();
  }

  @Test
  void oldOnesAreNotCounted() {
    RoutedTransaction old = begin(1, 1);
    clock.advance(31, TimeUnit.MINUTES);
    var out = new BsonBuilder();
    transactions.append(out);
    RawDocument section = out.toDocument();
    assertThat(section.get("currentOpen").toLong()).isZero();
    assertThat(old.isAborted()).isTrue();
  }
}
