package dev.wisent.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.conformance.ExpectedFailures.Entry;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExpectedFailuresTest {

  private static final String TEXT =
      """
      # a comment

      crud/find.json :: Find with limit, sort: both :: sorting comes later
      crud/aggregate-*.json :: * :: pipelines come later
      crud/aggregate-merge.json :: Merge :: merging comes last
      """;

  @Test
  void findsExactAndGlobEntries() {
    ExpectedFailures failures = ExpectedFailures.parse(TEXT);

    assertThat(failures.find("crud/find.json", "Find with limit, sort: both"))
        .hasValueSatisfying(e -> assertThat(e.reason()).isEqualTo("sorting comes later"));
    assertThat(failures.find("crud/find.json", "another")).isEmpty();
    assertThat(failures.find("crud/aggregate-let.json", "any"))
        .map(Entry::wholeFile)
        .hasValue(true);
    assertThat(failures.find("sessions/aggregate-let.json", "any")).isEmpty();
  }

  @Test
  void prefersTheEntryThatNamesTheCase() {
    assertThat(ExpectedFailures.parse(TEXT).find("crud/aggregate-merge.json", "Merge"))
        .map(Entry::reason)
        .hasValue("merging comes last");
  }

  @Test
  void reportsEntriesThatNameNoCase() {
    ExpectedFailures failures = ExpectedFailures.parse(TEXT);
    failures.find("crud/aggregate-merge.json", "Merge");

    assertThat(failures.unmatched(Set.of("crud")))
        .extracting(Entry::fileGlob)
        .containsExactly("crud/find.json");
    assertThat(failures.unmatched(Set.of("sessions"))).isEmpty();
  }

  @Test
  void reportsWholeFilesThatPass() {
    ExpectedFailures failures = ExpectedFailures.parse(TEXT);
    Entry entry = failures.find("crud/aggregate-let.json", "any").orElseThrow();

    failures.recordPass(entry);
    assertThat(failures.passedThroughout()).containsExactly(entry);
    failures.recordFailure(entry);
    assertThat(failures.passedThroughout()).isEmpty();
  }

  @Test
  void refusesAnEntryWithoutReason() {
    assertThatThrownBy(() -> ExpectedFailures.parse("crud/find.json :: a case"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("reason");
    assertThatThrownBy(() -> ExpectedFailures.parse("crud/find.json :: a case :: "))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
