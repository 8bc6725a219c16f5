package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.pipeline.sort.MemoryScratch;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Runs stages over documents, both written as Extended JSON. */
public final class StageFixture {
  /** So little memory that blocking stages write files after every document. */
  private static final long NO_MEMORY = 1;

  public static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

  private StageFixture() {}

  public static RawDocument array(String json) {
    return RawDocument.parse("{v: " + json + "}").get("v").asDocument();
  }

  public static List<RawDocument> documents(String array) {
    var documents = new ArrayList<RawDocument>();
    var elements = array(array).elements();
    while (elements.next()) {
      documents.add(elements.value().asDocument().detached());
    }
    return documents;
  }

  public static Pipeline parse(String stages) {
    return parse(stages, CONTEXT);
  }

  /** Parses stages, which can be serialized and parsed again. */
  public static Pipeline parse(String stages, QueryContext context) {
    Pipeline pipeline = Pipeline.parse(array(stages), context);
    SplitFixture.sent(pipeline, context);
    return pipeline;
  }

  /** What stages make of documents. */
  public static List<RawDocument> run(String stages, String input) {
    return run(stages, documents(input));
  }

  /** What stages make of documents. */
  public static List<RawDocument> run(String stages, List<RawDocument> input) {
    Pipeline pipeline = parse(stages);
    List<RawDocument> results = run(pipeline, input, SortSpace.inMemory());
    checkSent(pipeline, input, results, CONTEXT);
    return results;
  }

  /** Checks that a pipeline gives the same when it is sent to shards. */
  public static void checkSent(
      Pipeline pipeline, List<RawDocument> input, List<RawDocument> results, QueryContext context) {
    assertThat(run(SplitFixture.sent(pipeline, context), input, SortSpace.inMemory()))
        .as("sent as %s", pipeline.serialize())
        .isEqualTo(results);
    try (StageRun run = StageRun.inMemory()) {
      assertThat(SplitFixture.run(pipeline, SplitFixture.shards(input), context, run))
          .as("split of %s", pipeline.serialize())
          .isEqualTo(results);
    }
  }

  public static List<RawDocument> run(Pipeline pipeline, List<RawDocument> input, SortSpace space) {
    try (StageRun run = StageRun.of(space)) {
      return run(pipeline, input, run);
    }
  }

  /** The same with as much as possible in files. */
  public static List<RawDocument> runInFiles(String stages, List<RawDocument> input) {
    return runInFiles(parse(stages), input);
  }

  /** The same with as much as possible in files. */
  public static List<RawDocument> runInFiles(Pipeline pipeline, List<RawDocument> input) {
    var scratch = new MemoryScratch();
    List<RawDocument> results =
        run(pipeline, input, new SortSpace(NO_MEMORY, scratch, WorkMeter.unchecked()));
    assertThat(scratch.openFiles()).isZero();
    return results;
  }

  public static List<RawDocument> run(Pipeline pipeline, List<RawDocument> input, StageRun run) {
    return drain(pipeline.over(stream(input), 0, run));
  }

  /** Gives each document in the same array, which is what streams may do. */
  public static DocumentStream stream(List<RawDocument> documents) {
    Iterator<RawDocument> rest = documents.iterator();
    return new DocumentStream() {
      private byte[] last = new byte[0];

      @Override
      public RawDocument next() {
        Arrays.fill(last, (byte) 0x55);
        if (!rest.hasNext()) {
          return null;
        }
        last = rest.next().toByteArray();
        return RawDocument.of(last);
      }
    };
  }

  public static List<RawDocument> drain(DocumentStream stream) {
    var results = new ArrayList<RawDocument>();
    RawDocument next;
    while ((next = stream.next()) != null) {
      results.add(RawDocument.of(next.toByteArray()));
    }
    return results;
  }

  /** Documents as text, which does not tell the types of numbers apart. */
  public static List<String> texts(List<RawDocument> documents) {
    return documents.stream().map(RawDocument::toString).toList();
  }

  /** The error that parsing or running stages ends with. */
  public static CommandException errorOf(String stages, String input) {
    return catchThrowableOfType(CommandException.class, () -> run(stages, input));
  }

  /** Checks the error that parsing or running stages ends with. */
  public static void checkError(String stages, String input, int code, String message) {
    assertThat(codedError(stages, input, code)).as(stages).hasMessage(message);
  }

  /** The same where only a part of the message is known. */
  public static void checkErrorPart(String stages, String input, int code, String message) {
    assertThat(codedError(stages, input, code)).as(stages).hasMessageContaining(message);
  }

  private static CommandException codedError(String stages, String input, int code) {
    CommandException error = errorOf(stages, input);
    assertThat(error).as(stages).isNotNull();
    assertThat(error.code().code()).as("%s: %s", stages, error.getMessage()).isEqualTo(code);
    return error;
  }

  /**
   * Checks a table of pipelines that fail, one a line: {@code pipeline !! code message}. They may
   * fail when they are parsed or when they are run.
   */
  public static void checkErrors(List<RawDocument> documents, String table) {
    checkErrors(documents, table, CONTEXT);
  }

  /** The same for pipelines that need something of the world. */
  public static void checkErrors(List<RawDocument> documents, String table, QueryContext context) {
    for (String line : table.lines().map(String::strip).filter(l -> !l.isEmpty()).toList()) {
      String[] parts = line.split(" !! ", 2);
      int space = parts[1].indexOf(' ');
      CommandException error =
          catchThrowableOfType(
              CommandException.class,
              () -> run(parse(parts[0], context), documents, SortSpace.inMemory()));
      assertThat(error).as(line).isNotNull();
      assertThat(error.getMessage()).as(line).isEqualTo(parts[1].substring(space + 1));
      assertThat(error.code().code())
          .as(line)
          .isEqualTo(Integer.parseInt(parts[1].substring(0, space)));
    }
  }

  /** A stage as explain shows it. */
  public static RawDocument explained(String stage) {
    return parse("[" + stage + "]").stages().getFirst().explained().getFirst();
  }
}
