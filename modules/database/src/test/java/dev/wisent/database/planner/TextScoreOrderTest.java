package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A search for several terms is what searches for each of them say, added up to the last bit. Of
 * equal sums that one comes first which a search for the first of its terms gives first; of equal
 * scores of a term the last one in the index.
 */
class TextScoreOrderTest {
  private static final int ROUNDS = 8;
  private static final int DOCUMENTS = 150;
  private static final int SEARCHES = 12;

  /** Terms, in their order, that are their own stems. */
  private static final List<String> TERMS = List.of("cat", "dog", "fox", "hen", "owl", "pig");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;

  /** A field of documents, by their {@code _id}. */
  private final int[] numbers = new int[DOCUMENTS];

  @Test
  void scoresOfTermsAreAddedUp(@TempDir Path directory) {
    System.out.println("TextScoreOrderTest seed " + seed);
    try (TestDatabase database = TestDatabase.open(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        database.create("{}");
        createIndex(database, random.nextBoolean());
        fill(database);
        for (int i = 0; i < SEARCHES; i++) {
          search(database, random.nextInt(3) == 0 ? ", n: {$gte: 2}" : "");
        }
        database.database().changes().drop(database.collection(), database.operation());
        database.assertNothingLeaks();
      }
    }
  }

  private static void createIndex(TestDatabase database, boolean unique) {
    RawDocument spec =
        RawDocument.parse(
            "{v: 2, name: 't', key: {_fts: 'text', _ftsx: 1, n: -1, _id: 1}, unique: "
                + unique
                + ", weights: {a: 3, b: 1}, default_language: 'english', language_override:"
                + " 'language', textIndexVersion: 3}");
    database
        .database()
        .changes()
        .addIndexes(database.collection(), List.of(spec), database.operation());
  }

  private void fill(TestDatabase database) {
    for (int id = 0; id < DOCUMENTS; id++) {
      numbers[id] = random.nextInt(4);
      String number = "{_id: " + id + ", n: " + numbers[id];
      database.insert(number + ", a: '" + text() + "', b: '" + text() + "'}");
    }
  }

  private String text() {
    var words = new ArrayList<String>();
    for (int i = random.nextInt(5); i > 0; i--) {
      words.add(TERMS.get(random.nextInt(TERMS.size())));
    }
    return String.join(" ", words);
  }

  private void search(TestDatabase database, String condition) {
    var terms = new TreeSet<String>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      terms.add(TERMS.get(random.nextInt(TERMS.size())));
    }
    Map<Integer, Double> sums = new LinkedHashMap<>();
    for (String term : terms) {
      Map<Integer, Double> scores = find(database, term, condition, 0);
      assertThat(scores.keySet())
          .as("seed %d: %s", seed, term)
          .containsExactlyElementsOf(inOrder(scores, true).keySet());
      scores.forEach((id, score) -> sums.merge(id, score, Double::sum));
    }
    List<Map.Entry<Integer, Double>> expected = List.copyOf(inOrder(sums, false).entrySet());
    String words = String.join(" ", terms);
    assertThat(find(database, words, condition, 0).entrySet())
        .as("seed %d: %s", seed, words)
        .containsExactlyElementsOf(expected);
    int limit = 1 + random.nextInt(20);
    assertThat(find(database, words, condition, limit).entrySet())
        .as("seed %d: %s", seed, words)
        .containsExactlyElementsOf(expected.subList(0, Math.min(limit, expected.size())));
  }

  /** The highest score first; of equal ones as they are, or as the index has them. */
  private Map<Integer, Double> inOrder(Map<Integer, Double> scores, boolean byIndex) {
    var ids = new ArrayList<>(scores.keySet());
    if (byIndex) {
      ids.sort(Comparator.comparing((Integer id) -> numbers[id]).thenComparing(id -> -id));
    }
    ids.sort((a, b) -> Double.compare(scores.get(b), scores.get(a)));
    Map<Integer, Double> sorted = new LinkedHashMap<>();
    ids.forEach(id -> sorted.put(id, scores.get(id)));
    return sorted;
  }

  /** Documents with their scores, in the order in which they come. */
  private static Map<Integer, Double> find(
      TestDatabase database, String words, String condition, int limit) {
    List<RawDocument> found =
        database.find(
            Finds.of("{$text: {$search: '" + words + "'}" + condition + "}")
                .projection("{s: {$meta: 'textScore'}}")
                .sort("{s: {$meta: 'textScore'}}")
                .limit(limit)
                .toRequest());
    Map<Integer, Double> scores = new LinkedHashMap<>();
    found.forEach(one -> scores.put(one.get("_id").asInt32(), one.get("s").asDouble()));
    return scores;
  }
}
