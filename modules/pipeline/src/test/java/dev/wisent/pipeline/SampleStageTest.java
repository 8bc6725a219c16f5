package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleStageTest {
  private static final int DOCUMENTS = 1000;

  private final Random random = new Random(1);

  private List<RawDocument> sample(int size, StageRun run) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(RawDocument.parse("{_id: " + i + ", a: [{b: 'text'}]}"));
    }
    Pipeline pipeline =
        Pipeline.parse(
            StageFixture.array("[{$sample: {size: " + size + "}}]"),
            QueryContext.of(() -> 0, random::nextDouble));
    List<RawDocument> sample = StageFixture.run(pipeline, documents, run);
    assertThat(documents).containsAll(sample);
    assertThat(new HashSet<>(sample)).hasSameSizeAs(sample);
    return sample;
  }

  @Test
  void givesAsManyAsAskedForOrAll() {
    try (StageRun run = StageRun.inMemory()) {
      assertThat(sample(0, run)).isEmpty();
      assertThat(sample(7, run)).hasSize(7);
      assertThat(sample(DOCUMENTS * 2, run)).hasSize(DOCUMENTS);
      assertThat(sample(7, run)).isNotEqualTo(sample(7, run));
    }
  }

  @Test
  void givesAllAlike() {
    var counts = new int[DOCUMENTS];
    try (StageRun run = StageRun.inMemory()) {
      for (int i = 0; i < 50; i++) {
        sample(500, run).forEach(document -> counts[document.get("_id").asInt32()]++);
      }
    }
    // Each count is binomial with mean 25 and deviation 3.5.
    assertThat(Arrays.stream(counts)).allMatch(count -> count > 3 && count < 47);
  }

  @Test
  void needsFilesBeyondItsMemory() {
    try (StageRun run = StageRun.of(new SortSpace(1000, null, WorkMeter.unchecked()))) {
      assertThat(sample(3, run)).hasSize(3);
      assertThatThrownBy(() -> sample(500, run))
          .isInstanceOfSatisfying(
              CommandException.class,
              e ->
                  assertThat(e.code())
                      .isEqualTo(ErrorCode.QUERY_EXCEEDED_MEMORY_LIMIT_NO_DISK_USE_ALLOWED));
    }
  }

  @Test
  void explained() {
    assertThat(StageFixture.explained("{$sample: {size: 3}}"))
        .isEqualTo(RawDocument.parse("{$sample: {size: {$numberLong: '3'}}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          1                    | 28745 | the $sample stage specification must be an object
          []                   | 28745 | the $sample stage specification must be an object
          {}                   | 28749 | $sample stage must specify a size
          {size: 'x'}          | 28746 | size argument to $sample must be a number
          {size: null}         | 28746 | size argument to $sample must be a number
          {size: -1}           | 28747 | size argument to $sample must not be negative
          {size: 0, n: 1}      | 28748 | unrecognized option to $sample: n
          {size: 1, n: 1}      | 28748 | unrecognized option to $sample: n
          """)
  void refuses(String argument, int code, String message) {
    StageFixture.checkError("[{$sample: " + argument + "}]", "[]", code, message);
  }
}
