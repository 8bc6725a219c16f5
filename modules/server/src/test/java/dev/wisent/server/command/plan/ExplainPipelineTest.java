package dev.wisent.server.command.plan;

import static dev.wisent.server.command.plan.ExplainFixture.number;
import static dev.wisent.server.command.plan.ExplainFixture.stages;
import static dev.wisent.server.harness.Replies.assertError;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Explains of pipelines. */
class ExplainPipelineTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  @BeforeEach
  void fill() {
    ExplainFixture.fill(SERVER);
  }

  private static BsonDocument explain(String command, String verbosity) {
    return ExplainFixture.explain(SERVER, command, verbosity);
  }

  @Test
  void pipelinesThatAreMoreThanAFind() {
    BsonDocument reply =
        explain(
            "{aggregate: 'c', pipeline: [{$match: {a: 3}}, {$group: {_id: null, n: {$sum: 1}}}],"
                + " cursor: {}}",
            "executionStats");
    assertThat(reply.keySet())
        .containsExactly(
            "explainVersion", "stages", "serverInfo", "serverParameters", "command", "ok");
    List<BsonValue> stages = reply.getArray("stages");
    assertThat(stages).hasSize(2);
    BsonDocument cursor = stages.getFirst().asDocument().getDocument("$cursor");
    assertThat(stages(cursor.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("COUNT_SCAN");
    assertThat(number(cursor.getDocument("executionStats"), "nReturned")).isEqualTo(10);
    assertThat(stages.get(1).asDocument().getDocument("$group"))
        .isEqualTo(BsonDocument.parse("{_id: {$const: null}, n: {$sum: {$const: 1}}}"));
    assertThat(number(stages.get(1).asDocument(), "nReturned")).isEqualTo(1);
  }

  @Test
  void pipelinesThatLookAtLittle() {
    SERVER.run("{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a_only'}]}");
    BsonDocument counted =
        explain("{aggregate: 'c', pipeline: [{$count: 'n'}], cursor: {}}", "executionStats");
    BsonDocument cursor = firstStage(counted).getDocument("$cursor");
    assertThat(stages(cursor.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("RECORD_STORE_FAST_COUNT");
    assertThat(counted.getArray("stages")).hasSize(3);
    BsonDocument grouped =
        explain(
            "{aggregate: 'c', pipeline: [{$sort: {a: 1}}, {$group: {_id: '$a', b: {$first:"
                + " '$a'}}}], cursor: {}}",
            "executionStats");
    cursor = firstStage(grouped).getDocument("$cursor");
    assertThat(stages(cursor.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("PROJECTION_COVERED DISTINCT_SCAN");
    assertThat(grouped.getArray("stages").get(1).asDocument().getDocument("$groupByDistinctScan"))
        .isEqualTo(BsonDocument.parse("{newRoot: {_id: '$a', b: '$a'}}"));
    SERVER.run("{dropIndexes: 'c', index: 'a_only'}");
  }

  private static BsonDocument firstStage(BsonDocument reply) {
    return reply.getArray("stages").getFirst().asDocument();
  }

  @Test
  void eachStageOfAPipelineIsCounted() {
    BsonDocument reply =
        explain(
            "{aggregate: 'c', pipeline: [{$limit: 999}, {$match: {a: 3}}, {$skip: 3}, {$count:"
                + " 'n'}], cursor: {}}",
            "executionStats");
    List<Integer> counts =
        reply.getArray("stages").stream()
            .skip(1)
            .map(stage -> number(stage.asDocument(), "nReturned"))
            .toList();
    assertThat(counts).endsWith(10, 7, 1, 1);
    for (BsonValue stage : reply.getArray("stages")) {
      assertThat(stage.asDocument()).containsKey("executionTimeMillisEstimate");
    }
  }

  @Test
  void theOptionOfAggregate() {
    BsonDocument reply =
        SERVER.run("{aggregate: 'c', pipeline: [{$match: {a: 3}}], explain: true}");
    assertThat(stages(reply.getDocument("queryPlanner").getDocument("winningPlan")))
        .isEqualTo("FETCH IXSCAN");
    assertThat(reply).doesNotContainKey("executionStats");
    assertThat(reply.getDocument("command").get("$db")).isEqualTo(new BsonString("test"));
    BsonDocument rows =
        SERVER.run("{aggregate: 'c', pipeline: [{$match: {a: 3}}], explain: false, cursor: {}}");
    assertThat(rows.getDocument("cursor").getArray("firstBatch")).hasSize(10);
    assertError(
        SERVER.fail("{explain: {aggregate: 'c', pipeline: [], explain: true}}"),
        9,
        "The 'explain' option is illegal when a explain verbosity is also provided");
  }

  @Test
  void stagesThatReport() {
    BsonDocument reply =
        explain("{aggregate: 'c', pipeline: [{$indexStats: {}}], cursor: {}}", "queryPlanner");
    assertThat(reply.getArray("stages").getFirst().asDocument())
        .isEqualTo(BsonDocument.parse("{$indexStats: {}}"));
  }
}
