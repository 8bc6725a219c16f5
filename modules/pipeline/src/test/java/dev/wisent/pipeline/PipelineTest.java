package dev.wisent.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.context.QueryContext;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineTest {
  private static final QueryContext CONTEXT = QueryContext.of(() -> 0, () -> 0.5);

  private static final List<String> DOCUMENTS =
      List.of("{_id: 1, a: 3}", "{_id: 2, a: 1}", "{_id: 3, a: 2, b: 'x'}", "{_id: 4}");

  @Test
  void filtersSortsAndCuts() {
    assertThat(run("[{$match: {a: {$gt: 0}}}, {$sort: {a: 1}}, {$skip: 1}, {$limit: 1}]"))
        .containsExactly(RawDocument.parse("{_id: 3, a: 2, b: 'x'}"));
  }

  @Test
  void keepsAndLeavesOutFields() {
    assertThat(run("[{$match: {_id: 3}}, {$project: {_id: 0, b: 1}}]"))
        .containsExactly(RawDocument.parse("{b: 'x'}"));
    assertThat(run("[{$match: {_id: 3}}, {$unset: ['a', '_id']}]"))
        .containsExactly(RawDocument.parse("{b: 'x'}"));
    assertThat(run("[{$match: {_id: 3}}, {$unset: 'a'}]"))
        .containsExactly(RawDocument.parse("{_id: 3, b: 'x'}"));
  }

  @Test
  void counts() {
    assertThat(run("[{$match: {a: {$exists: true}}}, {$count: 'n'}]"))
        .containsExactly(RawDocument.parse("{n: 3}"));
    assertThat(run("[{$group: {_id: 1, n: {$sum: 1}, twice: {$sum: 2}}}]"))
        .containsExactly(RawDocument.parse("{_id: 1, n: 4, twice: 8}"));
  }

  @Test
  void countsNothingAsNoDocument() {
    assertThat(run("[{$match: {a: 99}}, {$count: 'n'}]")).isEmpty();
    assertThat(run("[{$match: {a: 99}}, {$group: {_id: null, n: {$sum: 1}}}]")).isEmpty();
  }

  @Test
  void takesASourceOnlyInFront() {
    assertThat(parse("[{$currentOp: {}}, {$match: {}}]").source()).isEqualTo("$currentOp");
    assertThat(errorOf("[{$match: {}}, {$currentOp: {}}]"))
        .isEqualTo(ErrorCode.STAGE_MUST_BE_FIRST);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "[{$nonsense: 1}]; UNRECOGNIZED_PIPELINE_STAGE",
        "[{$queryStats: {}}]; NOT_IMPLEMENTED",
        "[{$search: {}}]; SEARCH_NOT_ENABLED",
        "[{}]; PIPELINE_STAGE_FIELDS",
        "[{$match: {}, $limit: 1}]; PIPELINE_STAGE_FIELDS",
        "[1]; TYPE_MISMATCH",
        "[{$match: 1}]; MATCH_STAGE_NOT_OBJECT",
        "[{$limit: 0}]; LIMIT_STAGE_NOT_POSITIVE",
        "[{$limit: -1}]; LIMIT_STAGE_NOT_NUMBER",
        "[{$limit: 'x'}]; LIMIT_STAGE_NOT_NUMBER",
        "[{$skip: -1}]; SKIP_STAGE_NOT_NUMBER",
        "[{$sort: 1}]; SORT_STAGE_NOT_OBJECT",
        "[{$sort: {}}]; SORT_STAGE_EMPTY",
        "[{$project: 1}]; PROJECT_STAGE_NOT_OBJECT",
        "[{$project: {}}]; PROJECT_STAGE_EMPTY",
      })
  void refuses(String pipeline, ErrorCode expected) {
    assertThat(errorOf(pipeline)).isEqualTo(expected);
  }

  private static ErrorCode errorOf(String pipeline) {
    return catchThrowableOfType(CommandException.class, () -> parse(pipeline)).code();
  }

  private static Pipeline parse(String array) {
    return Pipeline.parse(RawDocument.parse("{p: " + array + "}").get("p").asDocument(), CONTEXT);
  }

  private static List<RawDocument> run(String pipeline) {
    Iterator<RawDocument> input = DOCUMENTS.stream().map(RawDocument::parse).iterator();
    DocumentStream output =
        parse(pipeline).over(() -> input.hasNext() ? input.next() : null, 0, StageRun.inMemory());
    var results = new ArrayList<RawDocument>();
    RawDocument document;
    while ((document = output.next()) != null) {
      results.add(document.detached());
    }
    return results;
  }
}
