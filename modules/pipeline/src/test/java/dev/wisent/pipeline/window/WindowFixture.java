package dev.wisent.pipeline.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.StageFixture;
import java.util.ArrayList;
import java.util.List;

/** Runs one window function over documents that are partitioned by p and sorted by t. */
final class WindowFixture {
  private WindowFixture() {}

  private static String stages(String function) {
    return "[{$setWindowFields: {partitionBy: '$p', sortBy: {t: 1}, output: {v: "
        + function
        + "}}}, {$project: {_id: 0, v: 1}}]";
  }

  /**
   * Checks a line: {@code function => array of values}, where a document without a value is one
   * without the field, {@code missing}; or {@code function !! code message}.
   */
  static void check(String input, String line) {
    if (line.contains(" !! ")) {
      String[] parts = line.split(" !! ", 2);
      StageFixture.checkErrors(StageFixture.documents(input), stages(parts[0]) + " !! " + parts[1]);
    } else {
      String[] parts = line.split(" => ", 2);
      assertThat(StageFixture.run(stages(parts[0]), input).toString().replace("{}", "missing"))
          .as(line)
          .isEqualTo(results(parts[1]));
    }
  }

  private static String results(String values) {
    var results = new ArrayList<String>();
    var elements = StageFixture.array(values.replace("missing", "'missing'")).elements();
    while (elements.next()) {
      RawValue value = elements.value();
      boolean missing = value.isString() && value.asString().equals("missing");
      results.add(
          missing ? "missing" : new BsonBuilder().append("v", value).toDocument().toString());
    }
    return results.toString();
  }

  /** Compares what the function gives for each document, bytes and types included. */
  static void check(String function, String input, String expected) {
    assertThat(StageFixture.run(stages(function), input))
        .as("%s of %s", function, input)
        .isEqualTo(StageFixture.documents(expected));
  }

  /** Compares the error that parsing or running the function ends with. */
  static void checkError(String function, String input, int code, String message) {
    StageFixture.checkErrorPart(stages(function), input, code, message);
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
