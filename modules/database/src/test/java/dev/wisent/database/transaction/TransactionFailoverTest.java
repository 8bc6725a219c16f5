package dev.wisent.database.transaction;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.ErrorCode;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.TestDatabase;
import dev.wisent.storage.LeadershipException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Transactions as another member sees them, and after it has taken over. */
class TransactionFailoverTest {
  private ReplicatedPair pair;
  private TestDatabase leader;
  private TestDatabase follower;

  @BeforeEach
  void open(@TempDir Path directory) {
    pair = new ReplicatedPair(directory, 1);
    leader = pair.leader();
    follower = pair.follower();
  }

  @AfterEach
  void close() {
    leader.assertNothingLeaks();
    follower.assertNothingLeaks();
    pair.close();
  }

  @Test
  void theNextLeaderHasWhatWasCommitted() {
    var committed = TestTransaction.of(leader).insert("{_id: 1, a: [1]}", "{_id: 2}");
    committed.update("{_id: 2}", "{$set: {a: 2}}");
    committed.commit();
    var open = TestTransaction.of(leader).insert("{_id: 3}");
    pair.awaitApplied();
    assertThat(follower.find("{}")).isEqualTo(leader.find("{}")).hasSize(2);
    pair.swap();
    committed.on(follower).commit();
    assertThat(error(() -> open.on(follower).commit()).code())
        .isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    assertThat(error(open::commit).code()).isEqualTo(ErrorCode.NOT_WRITABLE_PRIMARY);
    follower.insert("{_id: 3}");
    follower.assertValid();
    assertThat(follower.collection().documents()).isEqualTo(3);
  }

  /** Sent again, the commit says the same as the data, whether the entry is applied or not. */
  @ParameterizedTest
  @CsvSource({
    "WITH_MUTATION, true",
    "WITH_MUTATION, false",
    "WITHOUT_MUTATION, true",
    "WITHOUT_MUTATION, false"
  })
  void aCommitOfUnknownEndIsFoundOut(ReplicatedPair.Loss loss, boolean sameLeader) {
    leader.insert("{_id: 1}");
    var transaction = TestTransaction.of(leader).insert("{_id: 2}");
    pair.loseAtNextCommit(loss);
    assertThatThrownBy(transaction::commit).isInstanceOf(LeadershipException.class);
    pair.lead(sameLeader ? pair.first() : pair.second());
    TestDatabase next = pair.leader();
    boolean applied = loss == ReplicatedPair.Loss.WITH_MUTATION;
    assertThat(next.count("{_id: 2}")).isEqualTo(applied ? 1 : 0);
    var again = transaction.on(next);
    if (applied) {
      again.commit();
    } else {
      assertThat(error(again::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    }
    assertThat(next.count("{}")).isEqualTo(applied ? 2 : 1);
    next.assertValid();
  }
}
