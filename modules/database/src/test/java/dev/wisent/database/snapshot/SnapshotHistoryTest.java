package dev.wisent.database.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.transaction.TestTransaction;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read at cluster times of the past. Each mutation has a second of its own. */
class SnapshotHistoryTest {
  private static final int SECONDS_SHIFT = 32;
  private static final long LAST_OF_SECOND = 0xFFFF_FFFFL;

  private ReplicatedPair pair;

  @BeforeEach
  void open(@TempDir Path directory) {
    pair = ReplicatedPair.withOplog(directory, 1);
    pair.leader().insert("{_id: 0}");
    pair.awaitApplied();
  }

  @AfterEach
  void close() {
    for (TestDatabase each : members()) {
      each.database().snapshots().clear();
      each.assertNothingLeaks();
    }
    pair.close();
  }

  private List<TestDatabase> members() {
    return List.of(pair.leader(), pair.follower());
  }

  /** Has all members keep the newest state; the second of its time. */
  private long keep() {
    pair.awaitApplied();
    long time = 0;
    for (TestDatabase each : members()) {
      try (var state = each.database().snapshots().newest()) {
        time = state.timestamp();
      }
    }
    return time >>> SECONDS_SHIFT;
  }

  private static long endOf(long second) {
    return second << SECONDS_SHIFT | LAST_OF_SECOND;
  }

  private static List<Integer> at(TestDatabase database, long time) {
    OperationContext operation = database.operation();
    try (var state = database.database().snapshots().at(time)) {
      operation.readPoint(state);
      return TestDatabase.ids(
          TestDatabase.drain(
              database
                  .database()
                  .find(operation, FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY))));
    }
  }

  /** Rule H6: of two documents neither the state before both is given nor that after both. */
  @Test
  void aTimeBetweenTwoChangesHasOneStateOrNone() {
    long before = keep();
    pair.leader().insert("{_id: 1}");
    pair.leader().insert("{_id: 2}");
    pair.awaitApplied();
    long between = endOf(before + 1);
    for (TestDatabase each : members()) {
      assertThatThrownBy(() -> at(each, between))
          .isInstanceOfSatisfying(
              CommandException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SNAPSHOT_TOO_OLD));
      assertThat(at(each, endOf(before))).containsExactly(0);
      assertThat(at(each, endOf(before + 2))).containsExactly(0, 1, 2);
    }
  }

  @Test
  void aKeptStateIsThatOfAllTimesUpToTheNextChange() {
    pair.leader().insert("{_id: 1}");
    long kept = keep();
    pair.leader().insert("{_id: 2}");
    pair.awaitApplied();
    for (TestDatabase each : members()) {
      assertThat(at(each, endOf(kept))).containsExactly(0, 1);
      assertThat(at(each, endOf(kept + 1))).containsExactly(0, 1, 2);
    }
  }

  /** Rule H6: no time lies inside of a transaction. */
  @Test
  void thePairOfATransactionIsThereOrNot() {
    long before = keep();
    TestTransaction transaction = TestTransaction.of(pair.leader());
    transaction.insert("{_id: 1}", "{_id: 2}").commit();
    pair.awaitApplied();
    long second = (before + 1) << SECONDS_SHIFT;
    for (TestDatabase each : members()) {
      assertThat(at(each, endOf(before))).containsExactly(0);
      assertThat(at(each, second)).containsExactly(0);
      assertThat(at(each, second + 1)).containsExactly(0, 1, 2);
      assertThat(at(each, endOf(before + 1))).containsExactly(0, 1, 2);
    }
  }
}
