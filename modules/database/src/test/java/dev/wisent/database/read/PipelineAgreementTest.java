package dev.wisent.database.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.StageRun;
import dev.wisent.query.collation.CollationChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline gives the same however it is run: stage by stage over all documents as it was written,
 * optimized by whatever plan is chosen, through a scan, and with so little memory that everything
 * goes to files.
 *
 * <p>{@code -Dwisent.seed} repeats a run, {@code -Dwisent.test.rounds} makes it longer.
 */
class PipelineAgreementTest {
  private static final int ROUNDS = Integer.getInteger("wisent.test.rounds", 4);
  private static final int DOCUMENTS = 50;
  private static final int PIPELINES = 100;
  private static final int TINY_BYTES = 500;
  private static final List<String> INDEXES =
      List.of(
          "{s: 1}", "{t: -1}", "{s: 1, t: 1, _id: 1}", "{t: 1, s: 1, _id: 1}", "{t: 1, _id: 1}");

  /** Values of fields that are no arrays; nothing for a missing one. */
  private static final List<String> PLAIN =
      List.of(
          "{}", "{v: null}", "{v: 0}", "{v: 1}", "{v: 1.0}", "{v: 2}", "{v: 'a'}", "{v: {x: 1}}");

  private static final Namespace OTHER = new Namespace("test", "o");
  private static final RawValue NATURAL = TestDatabase.value("{$natural: 1}");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private TestDatabase database;
  private List<RawDocument> stored;
  private int compared;
  private int failed;

  @Test
  void optimizedSpilledOrThroughAnIndex(@TempDir Path directory) {
    System.out.println("PipelineAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        run(new SplittableRandom(seed + round), seed + round);
      }
    }
    System.out.println("PipelineAgreementTest compared " + compared + ", failed " + failed);
    assertThat(compared).as("answers compared").isGreaterThan(failed);
  }

  private void run(SplittableRandom random, long roundSeed) {
    var data = new RandomData(random);
    fill(random, data);
    var pipelines = new RandomPipelines(random, data);
    for (int i = 0; i < PIPELINES; i++) {
      String pipeline = pipelines.pipeline();
      check(pipeline, pipelines.isOrdered(), roundSeed);
    }
    database.assertNothingLeaks();
    database.database().changes().drop(database.collection(), database.operation());
    database
        .database()
        .changes()
        .drop(database.database().catalog().require(OTHER), database.operation());
  }

  private void fill(SplittableRandom random, RandomData data) {
    database.create("{}");
    stored = new ArrayList<>();
    for (int id = 0; id < DOCUMENTS; id++) {
      BsonDocument document = data.document(id);
      for (String plain : List.of("s", "t")) {
        BsonDocument value = BsonDocument.parse(PLAIN.get(random.nextInt(PLAIN.size())));
        document.putAll(value.isEmpty() ? value : new BsonDocument(plain, value.get("v")));
      }
      stored.add(RawDocument.of(document));
    }
    assertThat(database.insert(true, stored).failures()).isEmpty();
    List<RawDocument> others = stored.stream().limit(12).toList();
    assertThat(
            database
                .database()
                .insert(database.operation(), new InsertRequest(OTHER, others, true, false))
                .failures())
        .isEmpty();
    for (int i = 0; i < 5; i++) {
      String key = i < 3 ? data.keyPattern().toJson() : INDEXES.get(random.nextInt(INDEXES.size()));
      try {
        database.createIndex(key);
      } catch (CommandException e) {
        // Documents with two arrays cannot be in it, or there is one already.
      }
    }
  }

  private void check(String text, boolean ordered, long roundSeed) {
    Pipeline pipeline;
    List<RawDocument> expected;
    try {
      pipeline = parse(text);
      expected = plainly(pipeline);
    } catch (CommandException e) {
      failed++;
      return;
    }
    String what = "seed " + roundSeed + ": " + text;
    same(what, expected, optimized(what, text, null), ordered);
    same(what + " by a scan", expected, optimized(what, text, NATURAL), ordered);
    long bytesMax = database.database().sorting().bytesMax();
    database.database().sorting().bytesMax(TINY_BYTES);
    try {
      same(what + " with files", expected, optimized(what, text, null), ordered);
    } finally {
      database.database().sorting().bytesMax(bytesMax);
    }
    compared += 3;
  }

  private Pipeline parse(String stages) {
    return Pipeline.parse(
        TestDatabase.value(stages).asDocument(), QueryContexts.of(database.operation()));
  }

  /** Stage by stage. */
  private List<RawDocument> plainly(Pipeline pipeline) {
    Iterator<RawDocument> documents = stored.iterator();
    var results = new ArrayList<RawDocument>();
    try (StageRun run = database.database().stages(database.operation(), TestDatabase.NAMESPACE)) {
      DocumentStream stream = () -> documents.hasNext() ? documents.next() : null;
      for (Stage stage : pipeline.stages()) {
        stream = stage.over(stream, run);
      }
      RawDocument next;
      while ((next = stream.next()) != null) {
        results.add(RawDocument.of(next.toByteArray()));
      }
    }
    return results;
  }

  private List<RawDocument> optimized(String what, String stages, RawValue hint) {
    OperationContext operation = database.operation();
    var request =
        new AggregateRequest(
            TestDatabase.NAMESPACE, parse(stages), hint, CollationChoice.exactly(null));
    try {
      return TestDatabase.drain(database.database().aggregate(operation, request));
    } catch (CommandException e) {
      throw new AssertionError(what, e);
    }
  }

  /** Numbers of different types may stand for each other: which one comes first is open. */
  static void same(
      String what, List<RawDocument> expected, List<RawDocument> actual, boolean ordered) {
    var left = new ArrayList<>(expected);
    var right = new ArrayList<>(actual);
    if (!ordered) {
      left.sort(ValueOrder::compare);
      right.sort(ValueOrder::compare);
    }
    boolean same = left.size() == right.size();
    for (int i = 0; same && i < left.size(); i++) {
      same = ValueOrder.compare(left.get(i), right.get(i)) == 0;
    }
    if (!same) {
      assertThat(right.stream().map(RawDocument::toJson))
          .as(what)
          .containsExactlyElementsOf(left.stream().map(RawDocument::toJson).toList());
    }
  }
}
