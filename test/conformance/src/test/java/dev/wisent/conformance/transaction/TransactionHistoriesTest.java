package dev.wisent.conformance.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.conformance.transaction.BankHistory.Transfer;
import dev.wisent.conformance.transaction.StreamHistory.Change;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonTimestamp;
import org.bson.BsonValue;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The checkers of commits, banks and change streams find what they are there for. */
class TransactionHistoriesTest {

  @Nested
  class Commits {
    private final CommitHistory history = new CommitHistory("commits");

    private void ended(String id, Outcome outcome) {
      history.begins(id);
      history.ended(id, outcome);
    }

    private void assertFound(String text, String... found) {
      assertThat(history.check("m", List.of(found))).singleElement().asString().contains(text);
    }

    @Test
    void whatIsUnknownMayBeThereOrNot() {
      ended("a", Outcome.COMMITTED);
      ended("b", Outcome.UNKNOWN);
      history.begins("c");
      ended("d", Outcome.ABORTED);

      assertThat(history.check("m", List.of("a"))).isEmpty();
      assertThat(history.check("m", List.of("a", "b", "c"))).isEmpty();
    }

    @Test
    void aCommittedTransactionIsThere() {
      ended("a", Outcome.COMMITTED);
      assertFound("lost committed");
    }

    @Test
    void anAbortedTransactionIsNotThere() {
      ended("a", Outcome.ABORTED);
      assertFound("has aborted", "a");
    }

    @Test
    void nothingIsThereTwice() {
      ended("a", Outcome.COMMITTED);
      assertFound("twice", "a", "a");
    }

    @Test
    void nothingIsThereThatWasNeverSent() {
      assertFound("never sent", "a");
    }

    @Test
    void aCommitIsAnsweredTheSameWayAgain() {
      ended("a", Outcome.COMMITTED);
      history.contradicted("a", new IllegalStateException("no such transaction"));
      assertFound("no such transaction", "a");
    }

    @Test
    void aTransactionDoesNotMeetItself() {
      ended("a", Outcome.COMMITTED);
      history.metItself("a");
      assertFound("met itself", "a");
    }
  }

  @Nested
  class Bank {
    private final BankHistory history = new BankHistory(Set.of("x", "y"), 100);

    private List<String> check(long x, long y, Transfer... ledger) {
      for (Transfer transfer : ledger) {
        history.transfers().begins(transfer.id());
      }
      return history.check("m", Map.of("x", x, "y", y), List.of(ledger));
    }

    @Test
    void moneyMoves() {
      history.read("r", Map.of("x", 70L, "y", 130L));

      assertThat(check(70, 130, new Transfer("t", "x", "y", 30))).isEmpty();
    }

    @Test
    void everyReadHasTheSameSum() {
      history.read("r", Map.of("x", 70L, "y", 100L));

      assertThat(check(100, 100)).singleElement().asString().contains("saw 170");
    }

    @Test
    void everyReadHasAllAccounts() {
      history.read("r", Map.of("x", 200L));

      assertThat(check(100, 100)).singleElement().asString().contains("saw 200");
    }

    @Test
    void aTransferThatWasOverwrittenIsFound() {
      assertThat(check(70, 130, new Transfer("t", "x", "y", 30), new Transfer("u", "y", "x", 30)))
          .singleElement()
          .asString()
          .contains("its ledger says {x=100, y=100}");
    }

    @Test
    void aLostTransferIsFound() {
      history.transfers().begins("t");
      history.transfers().ended("t", Outcome.COMMITTED);

      assertThat(check(100, 100)).singleElement().asString().contains("lost committed");
    }
  }

  @Nested
  class Stream {
    private final StreamHistory history = new StreamHistory("s");

    private static final String INSERT =
        """
        {_id: {_data: '81'}, operationType: 'insert', clusterTime: {$timestamp: {t: 1, i: 1}},
         ns: {db: 'd', coll: 'c'}, documentKey: {_id: 1}, fullDocument: {_id: 1, a: [1, 2, 3], b: 1}}
        """;
    private static final String UPDATE =
        """
        {_id: {_data: '82'}, operationType: 'update', clusterTime: {$timestamp: {t: 1, i: 2}},
         ns: {db: 'd', coll: 'c'}, documentKey: {_id: 1},
         updateDescription: {updatedFields: {'a.1': 7, 'c.d': 4}, removedFields: ['b'],
                             truncatedArrays: [{field: 'a', newSize: 2}]}}
        """;

    private void add(String event) {
      history.add(BsonDocument.parse(event));
    }

    private static Change change(int i, String kind) {
      return new Change(new BsonTimestamp(1, i), "d.c", kind, new BsonInt32(1));
    }

    private static Map<String, Map<BsonValue, BsonDocument>> end(String document) {
      return Map.of("d.c", Map.of(new BsonInt32(1), BsonDocument.parse(document)));
    }

    private void assertFound(String text, String document, Change... oplog) {
      assertThat(history.check(List.of(oplog), end(document)))
          .isNotEmpty()
          .first()
          .asString()
          .contains(text);
    }

    @Test
    void eventsLeadToTheDocuments() {
      add(INSERT.replace("b: 1}", "b: 1, c: {}}"));
      add(UPDATE);

      assertThat(
              history.check(
                  List.of(change(1, "insert"), change(2, "update")),
                  end("{_id: 1, a: [1, 7], c: {d: 4}}")))
          .isEmpty();
    }

    @Test
    void anEventThatIsMissingIsFound() {
      add(INSERT);
      assertFound("number 1 is null", "{_id: 1}", change(1, "insert"), change(2, "update"));
    }

    @Test
    void anEventThatComesTwiceIsFound() {
      add(INSERT);
      add(INSERT);
      assertFound("not after the one before", "{_id: 1}", change(1, "insert"));
    }

    @Test
    void anEventThatIsNotInTheOplogIsFound() {
      add(INSERT);
      add(UPDATE);
      assertFound("expected null", "{_id: 1}", change(1, "insert"));
    }

    @Test
    void eventsInTheWrongOrderAreFound() {
      add(UPDATE);
      add(INSERT);
      assertFound("not after the one before", "{_id: 1}", change(1, "insert"), change(2, "update"));
    }

    @Test
    void anEventWithTheWrongValueIsFound() {
      add(INSERT);
      assertFound("the events lead to", "{_id: 1, a: [1, 2, 4], b: 1}", change(1, "insert"));
    }
  }
}
