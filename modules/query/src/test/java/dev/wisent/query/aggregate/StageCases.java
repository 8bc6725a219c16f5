package dev.wisent.query.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.expression.ExpressionCases;
import dev.wisent.query.match.QueryContext;
import dev.wisent.query.sort.MemoryScratch;
import dev.wisent.query.sort.SortSpace;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Runs pipelines over documents that are written down, for tests. */
public final class StageCases {
  /** So little memory that blocking stages write files after every document. */
  private static final long NO_MEMORY = 1;

  private StageCases() {}

  /** The documents of an array. */
  public static List<RawDocument> documents(String array) {
    var documents = new ArrayList<RawDocument>();
    var elements = RawDocument.parse("{d: " + array + "}").get("d").elements();
    while (elements.next()) {
      documents.add(elements.value().asDocument());
    }
    return documents;
  }

  public static Pipeline parse(String pipeline, QueryContext context) {
    return Pipeline.parse(
        RawDocument.parse("{p: " + pipeline + "}").get("p").asDocument(), context);
  }

  /** What a pipeline makes of documents, as text. */
  public static List<String> run(String pipeline, List<RawDocument> documents) {
    return run(parse(pipeline, ExpressionCases.CONTEXT), documents, SortSpace.inMemory());
  }

  /** The same with as much as possible in files. */
  public static List<String> runInFiles(String pipeline, List<RawDocument> documents) {
    return runInFiles(parse(pipeline, ExpressionCases.CONTEXT), documents);
  }

  /** The same with as much as possible in files. */
  public static List<String> runInFiles(Pipeline pipeline, List<RawDocument> documents) {
    var scratch = new MemoryScratch();
    List<String> results = run(pipeline, documents, new SortSpace(NO_MEMORY, scratch, () -> {}));
    assertThat(scratch.openFiles()).isZero();
    return results;
  }

  public static List<String> run(Pipeline pipeline, List<RawDocument> documents, SortSpace space) {
    Iterator<RawDocument> input = documents.iterator();
    var results = new ArrayList<String>();
    try (StageRun run = StageRun.of(space)) {
      // One array for all: whoever keeps a document without copying it will be found out.
      var shared = new byte[documents.stream().mapToInt(RawDocument::length).max().orElse(0)];
      DocumentStream output =
          pipeline.over(() -> input.hasNext() ? into(shared, input.next()) : null, 0, run);
      RawDocument document;
      while ((document = output.next()) != null) {
        results.add(document.toString());
      }
    }
    return results;
  }

  private static RawDocument into(byte[] shared, RawDocument document) {
    System.arraycopy(document.bytes(), document.offset(), shared, 0, document.length());
    return new RawDocument(shared, 0, document.length());
  }

  /**
   * Checks a table of pipelines that fail, one a line: {@code pipeline !! code message}. They may
   * fail when they are parsed or when they are run.
   */
  public static void checkErrors(List<RawDocument> documents, String table) {
    checkErrors(documents, table, ExpressionCases.CONTEXT);
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

  /** Documents as text, as the results of {@link #run} are. */
  public static List<String> texts(String array) {
    return documents(array).stream().map(RawDocument::toString).toList();
  }
}
