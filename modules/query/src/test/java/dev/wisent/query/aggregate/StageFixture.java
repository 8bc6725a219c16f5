package dev.wisent.query.aggregate;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.match.QueryContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Runs stages over documents, both written as Extended JSON. */
public final class StageFixture {
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
    return Pipeline.parse(array(stages), CONTEXT);
  }

  /** What stages make of documents. */
  public static List<RawDocument> run(String stages, String input) {
    try (StageRun run = StageRun.inMemory()) {
      return run(parse(stages), documents(input), run);
    }
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

  /** The error that parsing or running stages ends with. */
  public static CommandException errorOf(String stages, String input) {
    return catchThrowableOfType(CommandException.class, () -> run(stages, input));
  }

  /** A stage as explain shows it. */
  public static RawDocument explained(String stage) {
    return parse("[" + stage + "]").stages().getFirst().explained().getFirst();
  }
}
