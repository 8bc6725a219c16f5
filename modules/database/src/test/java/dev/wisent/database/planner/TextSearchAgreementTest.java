package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Searches through an index find what a plain look at all documents finds, with the same scores.
 * The look knows its words and their stems from a table, and nothing of tokenizers.
 */
class TextSearchAgreementTest {
  private static final int ROUNDS = 30;
  private static final int DOCUMENTS = 60;
  private static final int SEARCHES = 20;

  /** Words with their terms; those without one are stop words. */
  private static final Map<String, String> TERMS =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("cats", "cat"),
              Map.entry("Cat", "cat"),
              Map.entry("RUNNING", "run"),
              Map.entry("runs", "run"),
              Map.entry("Café", "cafe"),
              Map.entry("cafe", "cafe"),
              Map.entry("houses", "hous"),
              Map.entry("dog", "dog"),
              Map.entry("generously", "generous"),
              Map.entry("don't", ""),
              Map.entry("The", ""),
              Map.entry("of", "")));

  private static final List<String> WORDS = List.copyOf(TERMS.keySet());
  private static final List<String> DELIMITERS = List.of(" ", ", ", "-", "... ", " «", "\n");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private SplittableRandom random;

  /** What is in the collection, by {@code _id}. */
  private final Map<Integer, Content> contents = new TreeMap<>();

  /** The texts of a document, each a list of words, and the field in front of the terms. */
  private record Content(int shop, List<List<String>> titles, List<String> body) {}

  private record Weights(int title, int body) {}

  private record Search(
      List<String> words, List<String> negated, String phrase, boolean caseSensitive) {}

  @Test
  void indexAndLookAgree(@TempDir Path directory) {
    System.out.println("TextSearchAgreementTest seed " + seed);
    long found = 0;
    try (TestDatabase database = TestDatabase.open(directory)) {
      for (int round = 0; round < ROUNDS; round++) {
        random = new SplittableRandom(seed + round);
        contents.clear();
        database.create("{}");
        var weights = new Weights(1 + random.nextInt(20), 1 + random.nextInt(3));
        boolean compound = random.nextBoolean();
        boolean indexFirst = random.nextBoolean();
        if (indexFirst) {
          createIndex(database, weights, compound);
        }
        fill(database);
        if (!indexFirst) {
          createIndex(database, weights, compound);
        }
        change(database);
        database.assertValid();
        for (int i = 0; i < SEARCHES; i++) {
          found += search(database, weights, compound);
        }
        database.database().changes().drop(database.collection(), database.operation());
        database.assertNothingLeaks();
      }
    }
    assertThat(found).as("documents found").isGreaterThan(ROUNDS * SEARCHES);
  }

  private static void createIndex(TestDatabase database, Weights weights, boolean compound) {
    RawDocument spec =
        RawDocument.parse(
            "{v: 2, name: 't', key: {"
                + (compound ? "shop: 1, " : "")
                + "_fts: 'text', _ftsx: 1"
                + (compound ? ", _id: -1" : "")
                + "}, weights: {'titles.t': "
                + weights.title()
                + ", body: "
                + weights.body()
                + "}, default_language: 'english', language_override: 'language',"
                + " textIndexVersion: 3}");
    database
        .database()
        .changes()
        .addIndexes(database.collection(), List.of(spec), database.operation());
  }

  private void fill(TestDatabase database) {
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      contents.put(id, content());
      documents.add(document(id, contents.get(id)));
    }
    database.insert(false, documents);
  }

  /** Some documents go, others get other texts, in whole or in part. */
  private void change(TestDatabase database) {
    for (int i = 0; i < DOCUMENTS / 3; i++) {
      int id = random.nextInt(DOCUMENTS);
      Content old = contents.get(id);
      if (old == null) {
        continue;
      }
      String byId = "{_id: " + id + "}";
      switch (random.nextInt(3)) {
        case 0 -> {
          contents.remove(id);
          database.delete(byId, false);
        }
        case 1 -> {
          contents.put(id, content());
          database.update(byId, document(id, contents.get(id)).toJson());
        }
        default -> {
          List<String> body = words(6);
          contents.put(id, new Content(old.shop(), old.titles(), body));
          RawDocument update =
              new BsonBuilder()
                  .startDocument("$set")
                  .appendString("body", text(body))
                  .end()
                  .toDocument();
          database.update(byId, update.toJson());
        }
      }
    }
  }

  private Content content() {
    var titles = new ArrayList<List<String>>();
    for (int i = random.nextInt(3); i > 0; i--) {
      titles.add(words(4));
    }
    return new Content(random.nextInt(3), titles, words(6));
  }

  private List<String> words(int max) {
    var words = new ArrayList<String>();
    for (int i = random.nextInt(max); i > 0; i--) {
      words.add(WORDS.get(random.nextInt(WORDS.size())));
    }
    return words;
  }

  private String text(List<String> words) {
    return String.join(DELIMITERS.get(random.nextInt(DELIMITERS.size())), words);
  }

  private RawDocument document(int id, Content content) {
    var out = new BsonBuilder().appendInt32("_id", id).appendInt32("shop", content.shop());
    out.startArray("titles");
    for (int i = 0; i < content.titles().size(); i++) {
      out.startDocument(i).appendString("t", text(content.titles().get(i))).end();
    }
    out.end();
    return out.appendString("body", text(content.body())).toDocument();
  }

  private int search(TestDatabase database, Weights weights, boolean compound) {
    var search =
        new Search(
            words(4),
            random.nextInt(3) == 0 ? words(2) : List.of(),
            random.nextInt(4) == 0 ? WORDS.get(random.nextInt(WORDS.size())) : null,
            random.nextInt(4) == 0);
    int shop = compound ? random.nextInt(3) : -1;
    Map<Integer, Double> expected = look(search, weights, shop);
    String filter = filter(search, shop);
    String what = "seed " + seed + ": " + filter;
    assertThat(TestDatabase.ids(database.find(Finds.of(filter).toRequest())))
        .as(what)
        .containsExactlyInAnyOrderElementsOf(expected.keySet());
    List<RawDocument> scored =
        database.find(
            Finds.of(filter)
                .projection("{_id: 1, s: {$meta: 'textScore'}}")
                .sort("{s: {$meta: 'textScore'}}")
                .toRequest());
    assertThat(scored).as(what).hasSameSizeAs(expected.keySet());
    double last = Double.MAX_VALUE;
    for (RawDocument one : scored) {
      double score = one.get("s").asDouble();
      assertThat(score).as(what).isLessThanOrEqualTo(last);
      assertThat(score).as(what).isCloseTo(expected.get(one.get("_id").asInt32()), within(1e-9));
      last = score;
    }
    assertThat(database.count(filter)).as(what).isEqualTo(expected.size());
    return expected.size();
  }

  private static String filter(Search search, int shop) {
    var text = new StringBuilder(String.join(" ", search.words()));
    search.negated().forEach(word -> text.append(" -").append(word));
    if (search.phrase() != null) {
      text.append(" \"").append(search.phrase()).append('"');
    }
    var arguments =
        new BsonBuilder()
            .appendString("$search", text.toString())
            .appendBoolean("$caseSensitive", search.caseSensitive())
            .toDocument();
    var filter = new BsonBuilder();
    if (shop >= 0) {
      filter.appendInt32("shop", shop);
    }
    return filter.appendDocument("$text", arguments).toDocument().toJson();
  }

  /** The documents that a search is about, with their scores. */
  private Map<Integer, Double> look(Search search, Weights weights, int shop) {
    var wanted = new ArrayList<>(search.words());
    if (search.phrase() != null) {
      wanted.add(search.phrase());
    }
    var found = new TreeMap<Integer, Double>();
    contents.forEach(
        (id, content) -> {
          List<String> all = new ArrayList<>(content.body());
          content.titles().forEach(all::addAll);
          if ((shop < 0 || content.shop() == shop) && isMeant(search, wanted, all)) {
            found.put(id, score(wanted, weights, content));
          }
        });
    return found;
  }

  private static boolean isMeant(Search search, List<String> wanted, List<String> all) {
    boolean exact = search.caseSensitive();
    return all.stream().anyMatch(word -> wanted.stream().anyMatch(w -> same(w, word, exact)))
        && all.stream()
            .noneMatch(word -> search.negated().stream().anyMatch(w -> same(w, word, exact)))
        && (search.phrase() == null
            || all.stream()
                .anyMatch(word -> bare(word, exact).contains(bare(search.phrase(), exact))));
  }

  /** With case that counts, words are compared as they are: few stemmers know capitals. */
  private static boolean same(String wanted, String word, boolean exact) {
    if (TERMS.get(wanted).isEmpty()) {
      return false;
    }
    return exact ? cased(wanted).equals(cased(word)) : TERMS.get(wanted).equals(TERMS.get(word));
  }

  private static String cased(String word) {
    return switch (word) {
      case "Café" -> "Cafe";
      case "RUNNING", "Cat", "The" -> word;
      default -> TERMS.get(word);
    };
  }

  private static String bare(String word, boolean exact) {
    String plain = word.replace('é', 'e');
    return exact ? plain : plain.toLowerCase(Locale.ROOT);
  }

  private static double score(List<String> wanted, Weights weights, Content content) {
    var terms = new TreeSet<String>();
    wanted.forEach(word -> terms.add(TERMS.get(word)));
    terms.remove("");
    double score = score(terms, content.body(), weights.body());
    for (List<String> title : content.titles()) {
      score += score(terms, title, weights.title());
    }
    return score;
  }

  private static double score(TreeSet<String> wanted, List<String> words, int weight) {
    var counts = new HashMap<String, Integer>();
    for (String word : words) {
      counts.merge(TERMS.get(word), 1, Integer::sum);
    }
    counts.remove("");
    int tokens = counts.values().stream().mapToInt(Integer::intValue).sum();
    double score = 0;
    for (String term : wanted) {
      int count = counts.getOrDefault(term, 0);
      double frequency = 2 - Math.pow(2, 1 - count);
      boolean whole = words.size() == 1 && words.getFirst().equalsIgnoreCase(term);
      if (count > 0) {
        score += weight * frequency * (0.5 * count / tokens + 0.5) * (whole ? 1.1 : 1);
      }
    }
    return score;
  }
}
