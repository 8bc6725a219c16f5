package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.CatalogChanges;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.WriteOutcome;
import dev.wisent.operation.transaction.PreparedPart;
import dev.wisent.storage.LeadershipException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Prepared transactions on other members, and after one of these has taken over. */
class PreparedFailoverTest {
  /** Of what must wait: in vain, so that its length decides nothing. */
  private static final int WAIT_MILLIS = 30;

  private ReplicatedPair pair;

  @BeforeEach
  void open(@TempDir Path directory) {
    pair = ReplicatedPair.withOplog(directory, 1);
    pair.leader().insert("{_id: 1, n: 0}", "{_id: 2, n: 0}", "{_id: 3, n: 0}");
    pair.leader().createIndex("{k: 1}", "unique", "sparse");
  }

  @AfterEach
  void close() {
    // The first leader hears of the second by its entries.
    pair.leader().insert("{_id: 'last'}");
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.first().database(), pair.second().database())) {
      each.database().snapshots().clear();
      each.assertNothingLeaks();
    }
    pair.close();
  }

  private TestTransaction written() {
    var transaction = TestTransaction.of(pair.leader());
    transaction.update("{_id: 1}", "{$inc: {n: 5}}");
    transaction.delete("{_id: 2}", false);
    return transaction.insert("{_id: 9, k: 7}");
  }

  private static void assertCommitted(TestDatabase database) {
    assertThat(database.find("{}"))
        .containsExactlyInAnyOrder(
            "{\"_id\": 1, \"n\": 5}", "{\"_id\": 3, \"n\": 0}", "{\"_id\": 9, \"k\": 7}");
    database.assertValid();
  }

  private static void assertUnchanged(TestDatabase database) {
    assertThat(database.find("{n: 0}")).hasSize(3);
    assertThat(database.count("{}")).isEqualTo(3);
    database.assertValid();
  }

  private static void assertWaits(TestDatabase database, Consumer<OperationContext> work) {
    OperationContext operation = database.operation();
    operation.limitMillis(WAIT_MILLIS);
    assertThat(error(() -> work.accept(operation)).code()).isEqualTo(ErrorCode.MAX_TIME_MS_EXPIRED);
  }

  private static void update(TestDatabase database, String query, OperationContext operation) {
    var statement = TestDatabase.statement(query, "{$inc: {n: 1}}", false, false);
    require(database.database().update(operation, TestDatabase.request(statement)));
  }

  private static void insert(TestDatabase database, String document, OperationContext operation) {
    var request =
        new InsertRequest(
            TestDatabase.NAMESPACE, List.of(RawDocument.parse(document)), true, false);
    require(database.database().insert(operation, request));
  }

  private static void require(WriteOutcome outcome) {
    if (!outcome.failures().isEmpty()) {
      throw outcome.failures().getFirst().error();
    }
  }

  /** H3: what the first has latched the next one latches before it accepts writes. */
  @Test
  void theNextLeaderHoldsWhatIsPrepared() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    pair.swap();
    TestDatabase next = pair.leader();
    for (String query : List.of("{_id: 1}", "{_id: 2}")) {
      assertWaits(next, operation -> update(next, query, operation));
    }
    for (String document : List.of("{_id: 9}", "{_id: 10, k: 7}")) {
      assertWaits(next, operation -> insert(next, document, operation));
    }
    var other = TestTransaction.of(next);
    assertThat(error(() -> other.update("{_id: 1}", "{$inc: {n: 1}}")).code())
        .isEqualTo(ErrorCode.WRITE_CONFLICT);
    // Records of others get other places.
    next.insert("{_id: 11}");
    assertThat(next.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 0}");
    transaction.on(next).commitAt(time);
    next.delete("{_id: 11}", false);
    assertCommitted(next);
    pair.awaitApplied();
    assertCommitted(pair.follower());
    assertThat(next.update("{_id: 1}", "{$set: {n: 5}}").matched()).isEqualTo(1);
  }

  /** It is not only the latches: neither does the next leader but one lose anything. */
  @Test
  void leadersMayChangeOften() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    for (int i = 0; i < 4; i++) {
      pair.swap();
      assertWaits(pair.leader(), operation -> update(pair.leader(), "{_id: 1}", operation));
      assertThat(transaction.on(pair.leader()).prepare()).isEqualTo(time);
    }
    pair.lead(pair.second());
    pair.lead(pair.second());
    transaction.on(pair.leader()).commitAt(time);
    transaction.on(pair.leader()).commitAt(time);
    pair.awaitApplied();
    assertCommitted(pair.leader());
    assertCommitted(pair.follower());
  }

  /** H11: at the time of the preparation and later, and on every member. */
  @Test
  void aReadOfASecondaryWaitsForTheOutcome() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      each.database().snapshots().newest().close();
    }
    pair.leader().insert("{_id: 12}");
    pair.awaitApplied();
    long later = time + (1L << 32);
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      var points = each.database().snapshots();
      points.awaitDecided(time - 1, each.operation());
      assertWaits(each, operation -> points.awaitDecided(time, operation));
      assertWaits(each, operation -> points.awaitDecided(later, operation));
      // Others do not wait and see what was before.
      assertThat(each.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"n\": 0}");
    }
    transaction.commitAt(later);
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      each.database().snapshots().awaitDecided(later, each.operation());
      assertThat(at(each, later)).contains("{\"_id\": 9, \"k\": 7}");
      assertThat(at(each, time)).hasSize(3).contains("{\"_id\": 1, \"n\": 0}");
    }
  }

  private static List<String> at(TestDatabase database, long time) {
    OperationContext operation = database.operation();
    try (var state = database.database().snapshots().at(time)) {
      operation.readPoint(state);
      return TestDatabase.drain(
              database
                  .database()
                  .find(operation, FindRequest.of(TestDatabase.NAMESPACE, RawDocument.EMPTY)))
          .stream()
          .map(RawDocument::toJson)
          .toList();
    }
  }

  @Test
  void anAbortIsForAllMembers() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    pair.swap();
    TestDatabase next = pair.leader();
    transaction.on(next).abortDecided();
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      each.database().snapshots().awaitDecided(time, each.operation());
      assertUnchanged(each);
    }
    next.update("{_id: 1}", "{$set: {n: 0}}");
    next.insert("{_id: 9, k: 7}");
  }

  /** H10: a request to prepare that comes after the abort prepares nothing. */
  @Test
  void aLatePreparationIsRefused() {
    TestTransaction open = written();
    open.abortDecided();
    assertRefused(open);
    TestTransaction prepared = written();
    long unused = prepared.prepare();
    prepared.abortDecided();
    assertRefused(prepared);
    pair.swap();
    for (TestTransaction each : List.of(open.on(pair.leader()), prepared.on(pair.leader()))) {
      assertRefused(each);
    }
    for (TestTransaction each : List.of(open, prepared)) {
      assertThat(error(() -> each.on(pair.leader()).again().insert("{_id: 20}")).code())
          .isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    }
    assertUnchanged(pair.leader());
    pair.leader().update("{_id: 1}", "{$set: {n: 0}}");
  }

  /** H10: the abort may come before the first statement, which then comes in vain. */
  @Test
  void anAbortComesBeforeWhatItAborts() {
    TestTransaction unknown = TestTransaction.of(pair.leader());
    unknown.abortDecided();
    pair.swap();
    TestTransaction late = unknown.on(pair.leader()).again();
    assertThat(error(() -> late.insert("{_id: 20}")).code())
        .isEqualTo(ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS);
    assertRefused(late);
    assertThat(error(late::abortDecided).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    TestTransaction next = late.next();
    next.insert("{_id: 21}").commit();
    assertThat(error(late::abortDecided).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_OLD);
    assertThat(error(next::abortDecided).code()).isEqualTo(ErrorCode.TRANSACTION_COMMITTED);
  }

  /** What is prepared ends first: its record would replace that of the abort. */
  @Test
  void anAbortOfALaterTransactionWaitsForWhatIsPrepared() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    assertThat(error(() -> transaction.next().abortDecided()).code())
        .isEqualTo(ErrorCode.PREPARED_TRANSACTION_IN_PROGRESS);
    transaction.commitAt(time);
    transaction.next().abortDecided();
    assertCommitted(pair.leader());
  }

  /** That it is not known in memory says nothing while it is stored as prepared. */
  @Test
  void aPreparedOneIsKnownToItsLeaderOnly() {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    assertThat(pair.leader().database().transactions().prepared())
        .containsExactly(new PreparedPart(transaction.id(), "shard0", time));
    pair.swap();
    assertThat(pair.follower().database().transactions().prepared()).isEmpty();
    assertThat(pair.leader().database().transactions().prepared())
        .containsExactly(new PreparedPart(transaction.id(), "shard0", time));
    transaction.on(pair.leader()).commitAt(time);
    assertThat(pair.leader().database().transactions().prepared()).isEmpty();
  }

  private static void assertRefused(TestTransaction transaction) {
    assertThat(error(transaction::prepare).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
  }

  /** Whether the entry comes or not: members agree, and nothing stays latched. */
  @ParameterizedTest
  @CsvSource({
    "WITH_MUTATION, true",
    "WITH_MUTATION, false",
    "WITHOUT_MUTATION, true",
    "WITHOUT_MUTATION, false"
  })
  void aPreparationOfUnknownEndIsFoundOut(ReplicatedPair.Loss loss, boolean sameLeader) {
    TestTransaction transaction = written();
    lose(loss, sameLeader, transaction::prepare);
    TestTransaction again = transaction.on(pair.leader());
    if (loss == ReplicatedPair.Loss.WITH_MUTATION) {
      again.commitAt(again.prepare());
      assertCommitted(pair.leader());
    } else {
      assertRefused(again);
      assertUnchanged(pair.leader());
    }
    assertThat(pair.leader().update("{_id: 1}", "{$set: {n: 5}}").matched()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "WITH_MUTATION, true",
    "WITH_MUTATION, false",
    "WITHOUT_MUTATION, true",
    "WITHOUT_MUTATION, false"
  })
  void aCommitOfUnknownEndIsRepeated(ReplicatedPair.Loss loss, boolean sameLeader) {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    lose(loss, sameLeader, () -> transaction.commitAt(time));
    transaction.on(pair.leader()).commitAt(time);
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      assertCommitted(each);
      each.database().snapshots().awaitDecided(time, each.operation());
    }
    assertThat(pair.leader().update("{_id: 1}", "{$set: {n: 5}}").matched()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "WITH_MUTATION, true",
    "WITH_MUTATION, false",
    "WITHOUT_MUTATION, true",
    "WITHOUT_MUTATION, false"
  })
  void anAbortOfUnknownEndIsRepeated(ReplicatedPair.Loss loss, boolean sameLeader) {
    TestTransaction transaction = written();
    long time = transaction.prepare();
    lose(loss, sameLeader, transaction::abortDecided);
    TestTransaction again = transaction.on(pair.leader());
    if (loss == ReplicatedPair.Loss.WITH_MUTATION) {
      assertThat(error(again::abortDecided).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    } else {
      again.abortDecided();
    }
    pair.awaitApplied();
    for (TestDatabase each : List.of(pair.leader(), pair.follower())) {
      assertUnchanged(each);
      each.database().snapshots().awaitDecided(time, each.operation());
    }
    assertThat(pair.leader().update("{_id: 1}", "{$set: {n: 0}}").matched()).isEqualTo(1);
  }

  /** The leader steps down after it has applied the entry, and before the thread goes on. */
  @Test
  void theEndOfLeadershipMeetsAPreparation() {
    TestTransaction transaction = written();
    stepDownAtNextCommit();
    long time = transaction.prepare();
    pair.lead(pair.first());
    assertWaits(pair.leader(), operation -> update(pair.leader(), "{_id: 1}", operation));
    stepDownAtNextCommit();
    transaction.commitAt(time);
    pair.lead(pair.first());
    transaction.commitAt(time);
    assertCommitted(pair.leader());
    assertThat(pair.leader().update("{_id: 1}", "{$set: {n: 5}}").matched()).isEqualTo(1);
    changes().drop(pair.leader().collection(), pair.leader().operation());
  }

  private CatalogChanges changes() {
    return pair.leader().database().changes();
  }

  private void stepDownAtNextCommit() {
    TestDatabase leader = pair.leader();
    pair.whenSubmitted(() -> leader.database().leadership().becomeFollower());
  }

  private void lose(ReplicatedPair.Loss loss, boolean sameLeader, Runnable work) {
    pair.loseAtNextCommit(loss);
    assertThatThrownBy(work::run).isInstanceOf(LeadershipException.class);
    pair.lead(sameLeader ? pair.first() : pair.second());
  }
}
