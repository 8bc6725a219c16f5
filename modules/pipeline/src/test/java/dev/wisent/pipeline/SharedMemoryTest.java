package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.MemoryBudget;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Stages that gather at the same time, where there is not enough memory for all of them. */
class SharedMemoryTest {
  private static final int DOCUMENTS = 3000;
  private static final long BUDGET_BYTES = 400_000;

  private static final String SORTED =
      "[{$sort: {%s: 1}}, {$group: {_id: null, n: {$sum: 1}, first: {$first: '$_id'},"
          + " last: {$last: '$_id'}}}]";

  private static final String FACETS =
      "[{$facet: {a: %s, b: %s, c: %s, d: [{$group: {_id: '$g', all: {$push: '$pad'}}},"
              .formatted(SORTED.formatted("k"), SORTED.formatted("g"), SORTED.formatted("pad"))
          + " {$sort: {_id: 1}}, {$project: {n: {$size: '$all'}}}],"
          + " e: [{$group: {_id: '$k', all: {$addToSet: '$_id'}}}, {$sort: {_id: 1}},"
          + " {$limit: 3}]}}]";

  private final MemoryBudget budget = new MemoryBudget(BUDGET_BYTES);
  private final MemoryScratch scratch = new MemoryScratch();

  private static List<RawDocument> documents() {
    var random = new Random(1);
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          RawDocument.parse(
              "{_id: %d, k: %d, g: 'g%d', pad: '%s'}"
                  .formatted(i, random.nextInt(), random.nextInt(50), "x".repeat(300))));
    }
    return documents;
  }

  private SortSpace space(boolean files) {
    return new SortSpace(
        Limits.SORT_BYTES_MAX, files ? scratch : null, WorkMeter.unchecked(), budget);
  }

  @Test
  void branchesOfAFacetShareWhatThereIs() {
    List<RawDocument> documents = documents();
    Pipeline pipeline = StageFixture.parse(FACETS);
    List<RawDocument> alone;
    try (StageRun run = StageRun.inMemory()) {
      alone = StageFixture.run(pipeline, documents, run);
    }

    var most = new long[1];
    DocumentStream input = StageFixture.stream(documents);
    DocumentStream watched =
        () -> {
          most[0] = Math.max(most[0], budget.taken());
          return input.next();
        };
    try (StageRun run = StageRun.of(space(true))) {
      assertThat(StageFixture.drain(pipeline.over(watched, 0, run))).isEqualTo(alone);
    }
    // Each of the five may go on with a little.
    assertThat(most[0]).isBetween(BUDGET_BYTES / 2, BUDGET_BYTES + 5 * BUDGET_BYTES / 16);
    assertThat(scratch.created()).isGreaterThan(4);
    assertThat(scratch.openFiles()).isZero();
    assertThat(budget.taken()).isZero();
  }

  @Test
  void othersLeaveNothing() {
    try (SortSpace other = space(false);
        StageRun run = StageRun.of(space(false))) {
      assertThat(other.memory().allows(BUDGET_BYTES)).isTrue();
      for (String stage :
          List.of(
              "{$sort: {k: 1}}",
              "{$group: {_id: '$k', p: {$first: '$pad'}}}",
              "{$bucketAuto: {groupBy: '$k', buckets: 3}}",
              "{$setWindowFields: {sortBy: {k: 1}, output: {n: {$sum: '$k',"
                  + " window: {documents: ['unbounded', 'unbounded']}}}}}")) {
        CommandException e =
            catchThrowableOfType(
                CommandException.class,
                () -> StageFixture.run(StageFixture.parse("[" + stage + "]"), documents(), run));
        assertThat(e).as(stage).isNotNull();
        assertThat(e.code())
            .as(stage)
            .isEqualTo(ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED);
      }
    }
    assertThat(budget.taken()).isZero();
  }

  @Test
  void whatAFunctionHoldsCannotGoToFiles() {
    String stage =
        "[{$setWindowFields: {sortBy: {_id: 1}, output: {all: {$addToSet: {i: '$_id', p: '$pad'},"
            + " window: {documents: [-5000, 5000]}}}}}, {$project: {n: {$size: '$all'}}}]";
    try (StageRun run = StageRun.of(space(true))) {
      CommandException e =
          catchThrowableOfType(
              CommandException.class,
              () -> StageFixture.run(StageFixture.parse(stage), documents(), run));
      assertThat(e.code()).isEqualTo(ErrorCode.WINDOW_MEMORY);
      assertThat(e.getMessage())
          .startsWith("Exceeded memory limit in DocumentSourceSetWindowFields, used ")
          .endsWith(" bytes but max allowed is " + BUDGET_BYTES);
    }
    assertThat(budget.taken()).isZero();
  }
}
