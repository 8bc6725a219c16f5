package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordScoresTest {
  private final long seed = Long.getLong("wisent.seed", System.nanoTime());

  @Test
  void givesTheHighestSumsFirst() {
    System.out.println("RecordScoresTest seed " + seed);
    var random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      var scores = new RecordScores();
      Map<Long, Double> sums = new LinkedHashMap<>();
      for (int terms = random.nextInt(5); terms > 0; terms--) {
        Map<Long, Double> term = term(random);
        scores.addAll(postings(term));
        term.forEach((recordId, score) -> sums.merge(recordId, score, Double::sum));
      }
      List<Long> expected =
          sums.keySet().stream().sorted(Comparator.comparing(sums::get).reversed()).toList();
      List<Long> taken = new ArrayList<>();
      while (scores.next()) {
        assertThat(scores.score()).isEqualTo(sums.get(scores.recordId()));
        taken.add(scores.recordId());
      }
      assertThat(taken).as("seed %d", seed).isEqualTo(expected);
      assertThat(scores.next()).isFalse();
    }
  }

  /** Scores of records in the order in which they are to count. */
  private static Map<Long, Double> term(SplittableRandom random) {
    Map<Long, Double> term = new LinkedHashMap<>();
    for (int i = random.nextInt(400); i > 0; i--) {
      term.put(random.nextLong(300), random.nextInt(8) * 0.25);
    }
    return term;
  }

  /** An index has them the other way round. */
  private static Postings postings(Map<Long, Double> term) {
    var postings = new Postings();
    for (long recordId : List.copyOf(term.keySet()).reversed()) {
      postings.add(recordId, term.get(recordId));
    }
    return postings;
  }
}
