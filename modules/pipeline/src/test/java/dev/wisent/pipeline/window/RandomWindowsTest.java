package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.StageFixture;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

/** Random partitions and windows give what {@link WindowModel} computes for each window anew. */
class RandomWindowsTest {
  private static final int ROUNDS = 400;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  /** A window: what is written, and which documents of a sorted partition are in it. */
  private record Window(String text, Selection selection) {}

  private interface Selection {
    boolean has(List<BsonDocument> partition, int current, int other);
  }

  @Test
  void windowsAreWhatTheyHold() {
    for (int round = 0; round < ROUNDS; round++) {
      List<BsonDocument> documents = documents(random.nextInt(40));
      var outputs = new ArrayList<String>();
      var expected = new ArrayList<Function<List<BsonDocument>, BsonValue>>();
      var windows = new ArrayList<Window>();
      WindowModel.FUNCTIONS.forEach(
          (text, function) -> {
            Window window = window();
            outputs.add("f" + outputs.size() + ": {" + text + ", window: " + window.text() + "}");
            expected.add(function);
            windows.add(window);
          });
      String stages =
          "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {"
              + String.join(", ", outputs)
              + "}}}]";
      check(stages, documents, outputs, windows, expected);
    }
  }

  private void check(
      String stages,
      List<BsonDocument> documents,
      List<String> outputs,
      List<Window> windows,
      List<Function<List<BsonDocument>, BsonValue>> expected) {
    List<BsonDocument> results = run(stages, documents);
    int at = 0;
    for (List<BsonDocument> partition : partitions(documents)) {
      for (int current = 0; current < partition.size(); current++) {
        BsonDocument result = results.get(at++);
        assertThat(result.get("_id"))
            .as("seed %d", seed)
            .isEqualTo(partition.get(current).get("_id"));
        for (int i = 0; i < outputs.size(); i++) {
          var window = new ArrayList<BsonDocument>();
          for (int other = 0; other < partition.size(); other++) {
            if (windows.get(i).selection().has(partition, current, other)) {
              window.add(partition.get(other));
            }
          }
          BsonValue actual = result.get("f" + i);
          BsonValue wanted = expected.get(i).apply(window);
          assertThat(isSame(actual, wanted))
              .as(
                  "seed %d, %s of %s in %s: %s, not %s",
                  seed, outputs.get(i), current, partition, wanted, actual)
              .isTrue();
        }
      }
    }
    assertThat(results).hasSize(at);
  }

  /** What is computed in another order may differ a little. */
  private static boolean isSame(BsonValue actual, BsonValue wanted) {
    if (actual instanceof BsonDouble a && wanted instanceof BsonDouble b) {
      return Math.abs(a.getValue() - b.getValue()) <= 1e-9 * (1 + Math.abs(b.getValue()));
    }
    return Objects.equals(actual, wanted);
  }

  private static List<BsonDocument> run(String stages, List<BsonDocument> documents) {
    try (StageRun run = StageRun.inMemory()) {
      return StageFixture.run(
              StageFixture.parse(stages), documents.stream().map(RawDocument::of).toList(), run)
          .stream()
          .map(RawDocument::toBsonDocument)
          .toList();
    }
  }

  private static List<List<BsonDocument>> partitions(List<BsonDocument> documents) {
    Map<Integer, List<BsonDocument>> partitions = new TreeMap<>();
    for (BsonDocument document : documents) {
      // Null and missing are one partition, the first.
      int key = document.get("p") instanceof BsonInt32 number ? number.getValue() : -1;
      partitions.computeIfAbsent(key, k -> new ArrayList<>()).add(document);
    }
    partitions.values().forEach(each -> each.sort(Comparator.comparingDouble(d -> time(d))));
    return List.copyOf(partitions.values());
  }

  private static double time(BsonDocument document) {
    return document.getNumber("t").doubleValue();
  }

  private List<BsonDocument> documents(int count) {
    var documents = new ArrayList<BsonDocument>();
    for (int i = 0; i < count; i++) {
      var document = new BsonDocument("_id", new BsonInt32(i));
      switch (random.nextInt(5)) {
        case 0 -> {}
        case 1 -> document.put("p", BsonNull.VALUE);
        default -> document.put("p", new BsonInt32(random.nextInt(3)));
      }
      document.put("t", new BsonInt32(random.nextInt(20)));
      document.put("y", new BsonInt32(random.nextInt(100)));
      document.put("u", new BsonInt32(i * 7919 % 1009));
      BsonValue x = value();
      if (x != null) {
        document.put("x", x);
      }
      documents.add(document);
    }
    return documents;
  }

  private BsonValue value() {
    int number = random.nextInt(-20, 20);
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> BsonNull.VALUE;
      case 2 -> new BsonString("s" + number);
      // Fractions that no other number equals.
      case 3 -> new BsonDouble(number + 0.25);
      case 4 -> new BsonInt64(1000 + number);
      default -> new BsonInt32(number);
    };
  }

  private Window window() {
    boolean ranged = random.nextBoolean();
    int a = random.nextInt(-4, 5);
    int b = random.nextInt(a, 7);
    String lower = text(random.nextInt(4), a, b);
    String upper = text(random.nextInt(4), b, a);
    String text = "{" + (ranged ? "range" : "documents") + ": [" + lower + ", " + upper + "]}";
    return new Window(
        text,
        (partition, current, other) -> {
          double distance =
              ranged ? time(partition.get(other)) - time(partition.get(current)) : other - current;
          boolean afterLower =
              switch (lower) {
                case "'unbounded'" -> true;
                case "'current'" -> other >= current;
                default -> distance >= a;
              };
          boolean beforeUpper =
              switch (upper) {
                case "'unbounded'" -> true;
                case "'current'" -> other <= current;
                default -> distance <= b;
              };
          return afterLower && beforeUpper;
        });
  }

  /** The current document is a bound where the other one is on its proper side. */
  private static String text(int choice, int bound, int other) {
    boolean lower = bound <= other;
    boolean currentFits = lower ? other >= 0 && bound != other : other <= 0;
    if (choice == 0) {
      return "'unbounded'";
    }
    return choice == 1 && currentFits ? "'current'" : Integer.toString(bound);
  }

  /** Documents of a large partition go to a file and come back, whatever functions ask for. */
  @Test
  void partitionsGoToFiles() {
    var outputs = new ArrayList<String>();
    WindowModel.FUNCTIONS
        .keySet()
        .forEach(
            text ->
                outputs.add(
                    "f" + outputs.size() + ": {" + text + ", window: " + window().text() + "}"));
    outputs.add("all: {$sum: '$y', window: {documents: ['current', 'unbounded']}}");
    outputs.add("ahead: {$last: '$_id', window: {documents: [0, 400]}}");
    outputs.add("past: {$sum: '$y', window: {documents: ['unbounded', -300]}}");
    Pipeline pipeline =
        StageFixture.parse(
            "[{$setWindowFields: {partitionBy: '$q', sortBy: {t: 1}, output: {"
                + String.join(", ", outputs)
                + "}}}, {$unset: 'pad'}]");
    var documents = new ArrayList<RawDocument>();
    for (BsonDocument document : documents(1200)) {
      document.put("pad", new BsonString("x".repeat(random.nextInt(16_000))));
      document.put("q", new BsonInt32(random.nextInt(10) == 0 ? 1 : 0));
      documents.add(RawDocument.of(document));
    }
    var scratch = new MemoryScratch();
    List<RawDocument> spilled;
    // Enough for the functions, which cannot go to files, and not for the documents.
    try (StageRun run = StageRun.of(new SortSpace(3_000_000, scratch, WorkMeter.unchecked()))) {
      spilled = StageFixture.run(pipeline, documents, run);
    }
    assertThat(scratch.created()).isGreaterThan(1);
    assertThat(scratch.openFiles()).isZero();
    try (StageRun run = StageRun.inMemory()) {
      assertThat(spilled).as("seed %d", seed).isEqualTo(StageFixture.run(pipeline, documents, run));
    }
  }
}
