package dev.wisent.query.aggregate.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.aggregate.StageFixture;
import java.util.List;

/** Runs one window function over documents that are partitioned by p and sorted by t. */
final class WindowFixture {
  private WindowFixture() {}

  private static String stages(String function) {
    return "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {v: "
        + function
        + "}}}, {$project: {_id: 0, v: 1}}]";
  }

  /** Compares what the function gives for each document, bytes and types included. */
  static void check(String function, String input, String expected) {
    assertThat(StageFixture.run(stages(function), input))
        .as("%s of %s", function, input)
        .isEqualTo(StageFixture.documents(expected));
  }

  static CommandException errorOf(String function, String input) {
    return StageFixture.errorOf(stages(function), input);
  }

  /** Compares the error that parsing or running the function ends with. */
  static void checkError(String function, String input, int code, String message) {
    CommandException error = errorOf(function, input);
    assertThat(error).as("%s of %s", function, input).isNotNull();
    assertThat(error.code().code()).as("%s: %s", function, error.getMessage()).isEqualTo(code);
    assertThat(error.getMessage()).as("%s", function).contains(message);
  }

  /** The function as explain shows it. */
  static RawDocument explained(String function) {
    List<RawDocument> stage = StageFixture.parse(stages(function)).stages().get(1).explained();
    return stage
        .getFirst()
        .get("$_internalSetWindowFields")
        .asDocument()
        .get("output")
        .asDocument()
        .get("v")
        .asDocument();
  }
}
