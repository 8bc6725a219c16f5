package dev.wisent.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.IndexEntries;
import dev.wisent.database.snapshot.ReadState;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.storage.CommitFuture;
import dev.wisent.storage.CommitLog;
import dev.wisent.storage.FixedView;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.Mutation;
import dev.wisent.storage.MutationBuilder;
import dev.wisent.storage.Overlay;
import dev.wisent.storage.RecordKeys;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No reader can tell whether changes are in the store or in an overlay: the same writes give the
 * same answers to finds by all kinds of plans, counts, distinct values and pipelines.
 *
 * <p>{@code -Dwisent.seed} repeats a run, {@code -Dwisent.test.rounds} makes it longer.
 */
class OverlayReadTest {
  private static final int ROUNDS = Integer.getInteger("wisent.test.rounds", 4);
  private static final int DOCUMENTS = 60;
  private static final int WRITES = 25;
  private static final int QUESTIONS = 60;
  private static final int INDEXES = 4;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final List<Mutation> submitted = new ArrayList<>();
  private TestDatabase database;
  private int found;

  /** Keeps what is submitted, which is applied as usual. */
  private final class RecordingLog implements CommitLog {
    private final CommitLog log;

    RecordingLog(CommitLog log) {
      this.log = log;
    }

    @Override
    public CommitFuture submit(Mutation mutation) {
      submitted.add(mutation);
      return log.submit(mutation);
    }

    @Override
    public void sync() {
      log.sync();
    }

    @Override
    public void close() {
      log.close();
    }
  }

  @Test
  void answersAsTheStoreDoes(@TempDir Path directory) {
    try (var opened = TestDatabase.open(directory, RecordingLog::new)) {
      database = opened;
      for (int round = 0; round < ROUNDS; round++) {
        run(new SplittableRandom(seed + round), "seed " + seed + ", round " + round);
        database.database().changes().drop(database.collection(), database.operation());
      }
    }
    assertThat(found).as("answers that are not empty").isGreaterThan(ROUNDS * QUESTIONS / 4);
  }

  @Test
  void theRecordCacheDoesNotServeWhatIsNewerThanASnapshot(@TempDir Path directory) {
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      database.insert("{_id: 1}");
      try (var held = new ReadState(database.engine().snapshot(), 0)) {
        database.insert("{_id: 2}");
        for (int i = 0; i < 3; i++) {
          // Read again and again, so that the cache keeps what it may.
          assertThat(database.find("{_id: 2}")).hasSize(1);
          assertThat(byId(2, held)).isEmpty();
        }
      }
    }
  }

  @Test
  void theRecordCacheNeitherServesNorKeepsWhatAnOverlayChanges(@TempDir Path directory) {
    try (var opened = TestDatabase.open(directory)) {
      database = opened;
      database.insert("{_id: 1, v: 1}");
      Collection collection = database.collection();
      RawDocument found = database.find(Finds.of("{_id: 1}").showRecordId().toRequest()).getFirst();
      long recordId = found.get("$recordId").toLong();
      long added = recordId + 1;
      byte[] addedKey = collection.idIndex().keyOf(TestDatabase.value("2"));
      var overlay = new Overlay();
      overlay.add(
          new MutationBuilder()
              .put(
                  Keyspace.RECORDS,
                  RecordKeys.recordKey(collection.ident(), recordId),
                  RawDocument.parse("{_id: 1, v: 2}").toByteArray())
              .put(
                  Keyspace.RECORDS,
                  RecordKeys.recordKey(collection.ident(), added),
                  RawDocument.parse("{_id: 2, v: 2}").toByteArray())
              .put(Keyspace.INDEX, addedKey, IndexEntries.uniqueValue(added, new byte[0]))
              .build());
      try (var held = new ReadState(overlay.over(database.engine().snapshot()), 0)) {
        for (int i = 0; i < 3; i++) {
          // Read again and again, so that the cache keeps what it may.
          assertThat(database.find("{_id: 1}")).containsExactly("{\"_id\": 1, \"v\": 1}");
          assertThat(byId(1, held)).containsExactly("{\"_id\": 1, \"v\": 2}");
          assertThat(byId(2, held)).containsExactly("{\"_id\": 2, \"v\": 2}");
          assertThat(database.find("{_id: 2}")).isEmpty();
        }
      }
      assertThat(collection.recordCache().findId(addedKey)).isEqualTo(-1);
      database.assertNothingLeaks();
    }
  }

  private List<String> byId(int id, ReadState state) {
    return answer(operation -> find(Finds.of("{_id: " + id + "}"), operation), state).stream()
        .map(RawDocument::toJson)
        .toList();
  }

  private void run(SplittableRandom random, String what) {
    var data = new RandomData(random);
    fill(data);
    FixedView before = database.engine().snapshot();
    var overlay = new Overlay();
    submitted.clear();
    write(random, data);
    assertThat(submitted).isNotEmpty();
    submitted.forEach(overlay::add);
    try (var held = new ReadState(overlay.over(before), 0);
        var stored = new ReadState(database.engine().snapshot(), 0)) {
      for (int i = 0; i < QUESTIONS; i++) {
        ask(question(random, data), held, stored, what);
      }
    }
    database.assertNothingLeaks();
  }

  private void fill(RandomData data) {
    database.create("{}");
    var documents = new ArrayList<RawDocument>();
    for (int id = 0; id < DOCUMENTS; id++) {
      documents.add(RawDocument.of(data.document(id)));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
    for (int i = 0; i < INDEXES; i++) {
      try {
        database.createIndex(
            data.keyPattern().toJson(), i == 0 ? new String[] {"sparse"} : new String[0]);
      } catch (CommandException e) {
        // Documents with two arrays cannot be in it, or there is one already.
      }
    }
  }

  private void write(SplittableRandom random, RandomData data) {
    var updates = new RandomUpdates(random, data);
    for (int i = 0; i < WRITES; i++) {
      int id = random.nextInt(2 * DOCUMENTS);
      switch (random.nextInt(4)) {
        case 0 -> database.insert(false, List.of(RawDocument.of(data.document(id))));
        case 1 -> database.delete("{_id: " + id + "}", false);
        default ->
            database
                .database()
                .update(
                    database.operation(), TestDatabase.request(updates.statement(2 * DOCUMENTS)));
      }
    }
  }

  private Function<OperationContext, List<RawDocument>> question(
      SplittableRandom random, RandomData data) {
    RawDocument filter =
        random.nextInt(4) == 0
            ? RawDocument.parse("{_id: " + random.nextInt(2 * DOCUMENTS) + "}")
            : RawDocument.of(data.filter());
    String path = data.path();
    BsonDocument sort = data.sort();
    return switch (random.nextInt(6)) {
      case 0 -> operation -> count(filter, operation);
      case 1 -> operation -> distinct(path, filter, operation);
      case 2 -> operation -> group(path, filter, operation);
      case 3 -> operation -> find(Finds.of(filter.toJson()).sort(sort.toJson()), operation);
      default -> operation -> find(Finds.of(filter.toJson()), operation);
    };
  }

  private List<RawDocument> count(RawDocument filter, OperationContext operation) {
    var request = new CountRequest(TestDatabase.NAMESPACE, filter, 0, 0, null);
    return List.of(RawDocument.parse("{n: " + database.database().count(operation, request) + "}"));
  }

  private List<RawDocument> distinct(String path, RawDocument filter, OperationContext operation) {
    var request = new DistinctRequest(TestDatabase.NAMESPACE, path, filter, null);
    return database.database().distinct(operation, request).stream()
        .map(value -> new BsonBuilder().append("v", value).toDocument())
        .toList();
  }

  private List<RawDocument> group(String path, RawDocument filter, OperationContext operation) {
    String stages =
        "[{$match: %s}, {$group: {_id: '$%s', n: {$sum: 1}}}]".formatted(filter.toJson(), path);
    Pipeline pipeline =
        Pipeline.parse(TestDatabase.value(stages).asDocument(), QueryContexts.of(operation));
    var request = new AggregateRequest(TestDatabase.NAMESPACE, pipeline, null);
    return TestDatabase.drain(database.database().aggregate(operation, request));
  }

  private List<RawDocument> find(Finds find, OperationContext operation) {
    return TestDatabase.drain(database.database().find(operation, find.toRequest()));
  }

  /** Plans may differ, and with them the order, or which of two equal numbers comes first. */
  private void ask(
      Function<OperationContext, List<RawDocument>> question,
      ReadState held,
      ReadState stored,
      String what) {
    List<RawDocument> expected = answer(question, stored);
    assertThat(answer(question, held))
        .as(what)
        .usingElementComparator(ValueOrder::compare)
        .containsExactlyElementsOf(expected);
    found += expected.isEmpty() ? 0 : 1;
  }

  private List<RawDocument> answer(
      Function<OperationContext, List<RawDocument>> question, ReadState state) {
    OperationContext operation = database.operation();
    operation.readPoint(state);
    try {
      return question.apply(operation).stream().sorted(ValueOrder::compare).toList();
    } catch (CommandException e) {
      return List.of(RawDocument.parse("{code: " + e.code().code() + "}"));
    }
  }
}
