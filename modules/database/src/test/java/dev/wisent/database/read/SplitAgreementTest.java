package dev.wisent.database.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.RandomData;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.PipelineSplit;
import dev.wisent.pipeline.StageRun;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.query.context.QueryContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A pipeline gives the same over all documents and over any partition of them: each shard runs its
 * part over its documents, and the merge runs the rest over the results. All parts are parsed from
 * what they are serialized to, and so is the whole.
 *
 * <p>{@code -Dwisent.seed} repeats a run.
 */
class SplitAgreementTest {
  private static final int DOCUMENTS = 30;
  private static final int PIPELINES_OF_DATA = 50;
  private static final int SHARDS_MAX = 4;
  private static final Namespace OTHER = new Namespace("test", "o");

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private TestDatabase database;
  private int compared;
  private int failed;

  @Test
  void shardsAndMergeGiveWhatTheWholeGives(@TempDir Path directory) {
    run(directory, 1_000);
  }

  @Test
  @Tag("faults")
  void shardsAndMergeGiveWhatTheWholeGivesAtLength(@TempDir Path directory) {
    run(directory, 100_000);
  }

  private void run(Path directory, int pipelines) {
    System.out.println("SplitAgreementTest seed " + seed);
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      database.create("{}");
      fillOther(new SplittableRandom(seed));
      for (int i = 0; i < pipelines / PIPELINES_OF_DATA; i++) {
        compareSome(new SplittableRandom(seed + i), seed + i);
      }
    }
    System.out.println("SplitAgreementTest compared " + compared + ", failed " + failed);
    assertThat(compared).as("answers compared").isGreaterThan(failed);
  }

  private void fillOther(SplittableRandom random) {
    var data = new RandomData(random);
    List<RawDocument> others = new ArrayList<>();
    for (int id = 0; id < 12; id++) {
      others.add(document(random, data, id));
    }
    var request = new InsertRequest(OTHER, others, true, false);
    assertThat(database.database().insert(database.operation(), request).failures()).isEmpty();
  }

  private static RawDocument document(SplittableRandom random, RandomData data, int id) {
    BsonDocument document = data.document(id);
    for (String plain : List.of("s", "t")) {
      if (random.nextInt(4) > 0) {
        document.put(plain, new BsonInt32(random.nextInt(4)));
      }
    }
    return RawDocument.of(document);
  }

  private void compareSome(SplittableRandom random, long roundSeed) {
    var data = new RandomData(random);
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(document(random, data, id));
    }
    List<List<RawDocument>> shards = partition(random, documents);
    List<RawDocument> all = shards.stream().flatMap(List::stream).toList();
    var pipelines = new RandomPipelines(random, data);
    for (int i = 0; i < PIPELINES_OF_DATA; i++) {
      String text = pipelines.pipeline();
      String what = "seed " + roundSeed + ": " + text;
      QueryContext context = QueryContexts.of(database.operation());
      Pipeline pipeline;
      List<RawDocument> expected;
      try {
        pipeline = Pipeline.parse(TestDatabase.value(text).asDocument(), context);
        expected = over(pipeline, all);
      } catch (CommandException e) {
        failed++;
        continue;
      }
      boolean sharded = random.nextBoolean();
      assertThat(over(sent(pipeline, context), all)).as(what).isEqualTo(expected);
      assertThat(split(pipeline, shards, sharded, context)).as(what).isEqualTo(expected);
      List<RawDocument> optimized = split(Optimizer.optimize(pipeline), shards, sharded, context);
      PipelineAgreementTest.same(what + " optimized", expected, optimized, pipelines.isOrdered());
      compared++;
    }
  }

  private static List<List<RawDocument>> partition(
      SplittableRandom random, List<RawDocument> documents) {
    var shards = new ArrayList<List<RawDocument>>();
    int count = 1 + random.nextInt(SHARDS_MAX);
    for (int i = 0; i < count; i++) {
      shards.add(new ArrayList<>());
    }
    documents.forEach(document -> shards.get(random.nextInt(count)).add(document));
    return shards;
  }

  private static Pipeline sent(Pipeline pipeline, QueryContext context) {
    RawDocument serialized = pipeline.serialize();
    Pipeline again = Pipeline.parse(serialized, context.ofRouter());
    assertThat(again.serialize()).as("serialized again").isEqualTo(serialized);
    return again.carrying(pipeline.carried());
  }

  private List<RawDocument> split(
      Pipeline pipeline, List<List<RawDocument>> shards, boolean sharded, QueryContext context) {
    PipelineSplit split = PipelineSplit.of(pipeline, context, (database, name) -> sharded);
    Pipeline part = sent(split.shard(), context);
    var results = new ArrayList<DocumentStream>();
    shards.forEach(documents -> results.add(stream(over(part, documents))));
    var merging =
        new PipelineSplit(part, split.order(), sent(split.merge(), context), split.site());
    try (StageRun run = stages()) {
      return drain(merging.over(results, run));
    }
  }

  private List<RawDocument> over(Pipeline pipeline, List<RawDocument> documents) {
    try (StageRun run = stages()) {
      return drain(pipeline.over(stream(documents), 0, run));
    }
  }

  private StageRun stages() {
    return database.database().stages(database.operation(), TestDatabase.NAMESPACE);
  }

  private static DocumentStream stream(List<RawDocument> documents) {
    Iterator<RawDocument> rest = documents.iterator();
    return () -> rest.hasNext() ? rest.next() : null;
  }

  private static List<RawDocument> drain(DocumentStream stream) {
    var results = new ArrayList<RawDocument>();
    RawDocument next;
    while ((next = stream.next()) != null) {
      results.add(RawDocument.of(next.toByteArray()));
    }
    return results;
  }
}
