package dev.wisent.database.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.database.snapshot.TimeCrossings.Crossing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeCrossingsTest {
  private final TimeCrossings crossings = new TimeCrossings();
  private final List<String> done = new ArrayList<>();

  @Test
  void workIsDoneOnceBeforeTheFirstLaterEntry() throws InterruptedException {
    try (Crossing five = crossings.register(5, () -> done.add("five"));
        Crossing seven = crossings.register(7, () -> done.add("seven"))) {
      crossings.reaching(4);
      crossings.reaching(5);
      assertThat(done).isEmpty();
      assertThat(five.await(0)).isFalse();
      crossings.reaching(6);
      assertThat(done).containsExactly("five");
      assertThat(five.await(0)).isTrue();
      assertThat(seven.await(0)).isFalse();
      crossings.reaching(9);
      crossings.reaching(10);
      assertThat(done).containsExactly("five", "seven");
    }
  }

  @Test
  void timesHaveNoSign() throws InterruptedException {
    try (Crossing late = crossings.register(Long.MIN_VALUE, () -> done.add("late"))) {
      crossings.reaching(Long.MAX_VALUE);
      assertThat(late.await(0)).isFalse();
      crossings.reaching(Long.MIN_VALUE + 1);
      assertThat(late.await(0)).isTrue();
    }
  }

  @Test
  void workThatComesAfterALaterEntryIsMissed() throws InterruptedException {
    crossings.reaching(6);
    try (Crossing late = crossings.register(5, () -> done.add("late"))) {
      // The entry of 6 is still being applied: nothing says so as yet.
      assertThat(late.isMissed(4)).isFalse();
      assertThat(late.isMissed(5)).isFalse();
      assertThat(late.isMissed(6)).isTrue();
    }
    try (Crossing early = crossings.register(7, () -> done.add("early"))) {
      crossings.reaching(8);
      assertThat(early.isMissed(8)).isFalse();
      assertThat(early.await(0)).isTrue();
    }
    assertThat(done).containsExactly("early");
  }

  @Test
  void workThatIsGivenUpIsNotDone() {
    crossings.register(5, () -> done.add("five")).close();
    crossings.reaching(6);
    assertThat(done).isEmpty();
  }

  @Test
  void aFailureIsThatOfTheWaiter() {
    try (Crossing failing =
        crossings.register(
            5,
            () -> {
              throw new IllegalStateException("full");
            })) {
      crossings.reaching(6);
      assertThatThrownBy(() -> failing.await(0)).hasMessage("full");
    }
  }
}
