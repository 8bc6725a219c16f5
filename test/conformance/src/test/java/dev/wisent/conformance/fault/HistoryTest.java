package dev.wisent.conformance.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The checkers find what they are there for, in made-up histories. */
class HistoryTest {

  @Nested
  class Inserts {
    private final InsertHistory history = new InsertHistory();

    @Test
    void anInsertOfUnknownOutcomeMayBeThereOrNot() {
      history.sent("a");
      history.acknowledged("a");
      history.sent("b");

      assertThat(history.check("m", List.of("a"))).isEmpty();
      assertThat(history.check("m", List.of("a", "b"))).isEmpty();
    }

    @Test
    void anAcknowledgedInsertMustBeThere() {
      history.sent("a");
      history.acknowledged("a");

      assertThat(history.check("m", List.of())).singleElement().asString().contains("lost 1");
    }

    @Test
    void nothingIsThereThatNobodySent() {
      assertThat(history.check("m", List.of("x"))).singleElement().asString().contains("nobody");
    }

    @Test
    void aRetryThatMeetsItsFirstAttemptIsAnError() {
      history.sent("a");
      history.duplicate("a");

      assertThat(history.check("m", List.of("a"))).singleElement().asString().contains("itself");
    }

    @Test
    void aDocumentIsThereOnce() {
      history.sent("a");

      assertThat(history.check("m", List.of("a", "a")))
          .singleElement()
          .asString()
          .contains("twice");
    }
  }

  @Nested
  class Counters {
    private final CounterHistory history = new CounterHistory();

    private List<String> check(long sum, long total) {
      return history.check("m", Map.of("c", Map.of("client", sum)), Map.of("c", total));
    }

    @Test
    void acknowledgedIncrementsCountExactlyOnce() {
      history.acknowledged("c", "client");
      history.acknowledged("c", "client");

      assertThat(check(2, 2)).isEmpty();
      assertThat(check(1, 1)).hasSize(1);
      assertThat(check(3, 3)).hasSize(1);
    }

    @Test
    void unknownIncrementsCountAtMostOnce() {
      history.acknowledged("c", "client");
      history.unknown("c", "client");

      assertThat(check(1, 1)).isEmpty();
      assertThat(check(2, 2)).isEmpty();
      assertThat(check(3, 3)).hasSize(1);
    }

    @Test
    void theUnknownOnesOfOneClientDoNotExcuseAnother() {
      history.acknowledged("c", "client");
      history.unknown("c", "other");

      assertThat(
              history.check("m", Map.of("c", Map.of("client", 2L, "other", 0L)), Map.of("c", 2L)))
          .hasSize(1);
    }

    @Test
    void theTotalIsTheSum() {
      history.acknowledged("c", "client");

      assertThat(check(1, 2)).singleElement().asString().contains("total");
    }

    @Test
    void aLostCounterIsFound() {
      history.acknowledged("c", "client");

      assertThat(history.check("m", Map.of(), Map.of())).hasSize(1);
    }

    @Test
    void anAnswerMayNotLeaveOutWhatWasAcknowledged() {
      history.acknowledged("c", "client");
      history.acknowledged("c", "client", 1);

      assertThat(check(2, 2)).singleElement().asString().contains("expected 2 to 2");
    }

    @Test
    void whatIsWrongWithOneMemberIsNotSaidOfTheNext() {
      history.acknowledged("c", "client");

      assertThat(check(0, 0)).hasSize(1);
      assertThat(check(1, 1)).isEmpty();
    }
  }

  @Nested
  class Register {
    private final RegisterHistory history = new RegisterHistory(0);

    @Test
    void aReadAfterAnAcknowledgementSeesIt() {
      history.writeBegins(1, 10);
      history.writeAcknowledged(1, 20);
      history.read("r", 30, 40, 1);

      assertThat(history.check(1)).isEmpty();
    }

    @Test
    void aReadThatMissesAnAcknowledgedWriteIsStale() {
      history.writeBegins(1, 10);
      history.writeAcknowledged(1, 20);
      history.read("r", 30, 40, 0);

      assertThat(history.check(1)).singleElement().asString().contains("stale");
    }

    @Test
    void aReadBesideAWriteMaySeeEither() {
      history.writeBegins(1, 10);
      history.writeAcknowledged(1, 50);
      history.read("r", 20, 30, 0);
      history.read("r", 32, 40, 1);

      assertThat(history.check(1)).isEmpty();
    }

    @Test
    void whatOneReadHasSeenTheNextMustSee() {
      history.writeBegins(1, 10);
      history.read("r", 20, 30, 1);
      history.read("s", 40, 50, 0);

      assertThat(history.check(1)).singleElement().asString().contains("stale");
    }

    @Test
    void overlappingReadsHaveNoOrder() {
      history.writeBegins(1, 10);
      history.read("r", 20, 45, 1);
      history.read("s", 40, 50, 0);

      assertThat(history.check(1)).isEmpty();
    }

    @Test
    void aWriteOfUnknownOutcomeMayBeSeenOrNot() {
      history.writeBegins(1, 10);
      history.read("r", 20, 30, 0);
      history.writeBegins(2, 40);
      history.writeAcknowledged(2, 50);
      history.read("r", 60, 70, 2);

      assertThat(history.check(2)).isEmpty();
    }

    @Test
    void noReadSeesAValueBeforeItIsWritten() {
      history.read("r", 10, 20, 1);
      history.writeBegins(1, 30);

      assertThat(history.check(1)).singleElement().asString().contains("not written by then");
    }

    @Test
    void whatWasSeenAnywhereIsNotUndone() {
      history.writeBegins(1, 10);
      history.weakRead("r", 20, 30, 1);

      assertThat(history.check(0)).singleElement().asString().contains("in the end");
    }

    @Test
    void aWeakReadMayBeOld() {
      history.writeBegins(1, 10);
      history.writeAcknowledged(1, 20);
      history.weakRead("r", 30, 40, 0);

      assertThat(history.check(1)).isEmpty();
    }

    @Test
    void theFinalValueWasWrittenBySomebody() {
      assertThat(history.check(7)).singleElement().asString().contains("nobody wrote");
    }
  }
}
