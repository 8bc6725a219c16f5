package dev.wisent.database.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.context.QueryContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomCursorStepTest {
  private final Random random = new Random(Long.getLong("wisent.seed", 1));
  private TestDatabase database;
  private OperationContext operation;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
  }

  @AfterEach
  void close() {
    database.assertNothingLeaks();
    database.close();
  }

  private void insert(int documents) {
    database.insert(
        true,
        IntStream.range(0, documents)
            .mapToObj(id -> RawDocument.parse("{_id: " + id + ", a: 1}"))
            .toList());
  }

  private ResultCursor open(int size) {
    operation = database.operation();
    Pipeline pipeline =
        Pipeline.parse(
            TestDatabase.value("[{$sample: {size: " + size + "}}]").asDocument(),
            QueryContext.of(() -> 0, random::nextDouble));
    return database
        .database()
        .aggregate(operation, new AggregateRequest(TestDatabase.NAMESPACE, pipeline, null));
  }

  private List<Integer> sample(int size) {
    List<Integer> sample = TestDatabase.ids(TestDatabase.drain(open(size)));
    assertThat(new HashSet<>(sample)).hasSameSizeAs(sample).hasSize(size);
    return sample;
  }

  @Test
  void looksAtLittleMoreThanItGives() {
    insert(2000);
    sample(20);
    assertThat(operation.planSummary()).isEqualTo("MULTI_ITERATOR");
    assertThat(operation.documentsExamined()).isBetween(20L, 25L);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 1, COLLSCAN",
    "101, 1, MULTI_ITERATOR",
    "200, 10, MULTI_ITERATOR",
    "200, 11, COLLSCAN"
  })
  void isForSmallSamplesOfLargeCollections(int documents, int size, String plan) {
    insert(documents);
    sample(size);
    assertThat(operation.planSummary()).isEqualTo(plan);
  }

  /** Documents behind a gap, and those at the ends, come no more often than others. */
  @ParameterizedTest
  @CsvSource({
    // drawn
    "0, 0",
    "200, 500",
    // drawn for nothing too often, and chosen from all
    "0, 895",
    "20, 915"
  })
  void givesAllAlike(int gapFrom, int gapTo) {
    insert(1000);
    database.delete("{_id: {$gte: %d, $lt: %d}}".formatted(gapFrom, gapTo), true);
    database.delete("{_id: {$gte: 995}}", true);
    int left = 995 - (gapTo - gapFrom);
    int rounds = left * 20;
    var counts = new int[1000];
    var atFirst = new int[1000];
    for (int i = 0; i < rounds; i++) {
      List<Integer> sample = sample(5);
      sample.forEach(id -> counts[id]++);
      atFirst[sample.getFirst()]++;
    }
    // Each count is binomial: with mean 100 and deviation 10, and with mean 20 and deviation 4.5.
    assertThat(remaining(counts, gapFrom, gapTo)).allMatch(count -> count > 40 && count < 160);
    assertThat(remaining(atFirst, gapFrom, gapTo)).allMatch(count -> count > 0 && count < 47);
    assertThat(Arrays.stream(counts).sum()).isEqualTo(rounds * 5);
  }

  private static IntStream remaining(int[] counts, int gapFrom, int gapTo) {
    return IntStream.range(0, 995).filter(id -> id < gapFrom || id >= gapTo).map(id -> counts[id]);
  }

  @Test
  void goesOverAllWhereRecordsAreFarApart() {
    insert(5000);
    database.delete("{_id: {$mod: [40, 1]}}", true);
    database.delete("{_id: {$not: {$mod: [40, 0]}}}", true);
    sample(5);
    assertThat(operation.planSummary()).isEqualTo("MULTI_ITERATOR");
    assertThat(operation.documentsExamined()).isEqualTo(125 + 5);
  }

  /** What is deleted meanwhile is not given, and what was given is not given again. */
  @Test
  void goesOnInANewerState() {
    insert(2000);
    try (ResultCursor cursor = open(100)) {
      List<Integer> before = TestDatabase.ids(TestDatabase.take(cursor, 10));
      cursor.detach();
      String few = before.toString();
      database.delete("{_id: {$gte: 120, $nin: " + few + "}}", true);
      cursor.attach(database.operation());
      List<Integer> after = TestDatabase.ids(TestDatabase.take(cursor, 1000));
      assertThat(new HashSet<>(after))
          .hasSameSizeAs(after)
          .hasSize(90)
          .doesNotContainAnyElementsOf(before);
      assertThat(after).allMatch(id -> id < 120);
    }
  }

  @Test
  void worksInACappedCollection() {
    database.create("{capped: true, size: 1000000, max: 150}");
    insert(1000);
    for (int i = 0; i < 20; i++) {
      assertThat(sample(7)).allMatch(id -> id >= 850);
      assertThat(operation.documentsExamined()).isLessThan(20);
    }
  }

  @Test
  void endsWhereNothingIsLeft() {
    insert(200);
    try (ResultCursor cursor = open(10)) {
      cursor.detach();
      database.delete("{}", true);
      cursor.attach(database.operation());
      assertThat(cursor.peek()).isNull();
    }
  }
}
