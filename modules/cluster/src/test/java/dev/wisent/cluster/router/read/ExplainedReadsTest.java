package dev.wisent.cluster.router.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.StaleRetry;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.pipeline.Pipeline;
import java.util.ArrayList;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class ExplainedReadsTest {
  private static TestShards shards;
  private static ExplainedReads reads;
  private final OperationContext operation = TestShards.operation();

  @BeforeAll
  static void start() {
    shards = new TestShards(2);
    reads =
        new ExplainedReads(
            shards,
            shards,
            new ScatteredReads(shards, shards),
            new AggregatedReads(
                shards,
                shards,
                new StaleRetry(null),
                TestShards.sorting(),
                new OpenOutputs(shards, Clock.system(), RandomSource.system())));
    shards.create("");
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 10; i++) {
      documents.add(RawDocument.parse("{_id: %d, a: %d}".formatted(i, i % 3)));
    }
    shards.spread(documents, i -> i % 2);
  }

  @AfterAll
  static void stop() {
    shards.close();
  }

  private BsonDocument explain(Explainable request, String command, Verbosity verbosity) {
    var asked =
        new ExplainRequest(
            request,
            verbosity,
            RawDocument.parse(command),
            RawDocument.parse("{serverInfo: {host: 'router'}}"));
    return reads.explain(operation, asked).toBsonDocument();
  }

  @Test
  void aFindTellsThePlanOfEachShard() {
    String find = "{find: 'c', filter: {a: 1}, sort: {_id: 1}}";
    BsonDocument reply =
        explain(TestShards.find(RawDocument.parse(find)), find, Verbosity.ALL_PLANS_EXECUTION);
    assertThat(reply.keySet())
        .containsExactly("queryPlanner", "executionStats", "serverInfo", "command");
    BsonDocument plan = reply.getDocument("queryPlanner").getDocument("winningPlan");
    assertThat(plan.getString("stage").getValue()).isEqualTo("SHARD_MERGE_SORT");
    BsonArray plans = plan.getArray("shards");
    assertThat(plans).hasSize(2);
    BsonDocument first = plans.getFirst().asDocument();
    assertThat(first.getString("shardName").getValue()).isEqualTo("s0");
    assertThat(first.getString("connectionString").getValue()).startsWith("s0/");
    assertThat(first.keySet())
        .contains("serverInfo", "namespace", "parsedQuery", "winningPlan", "rejectedPlans");
    BsonDocument stats = reply.getDocument("executionStats");
    assertThat(stats.getNumber("nReturned").longValue()).isEqualTo(3);
    assertThat(stats.getNumber("totalDocsExamined").longValue()).isEqualTo(10);
    BsonDocument stages = stats.getDocument("executionStages");
    assertThat(stages.getString("stage").getValue()).isEqualTo("SHARD_MERGE_SORT");
    long returned = 0;
    for (BsonValue shard : stages.getArray("shards")) {
      returned += shard.asDocument().getNumber("nReturned").longValue();
      assertThat(shard.asDocument().keySet()).contains("shardName", "executionStages");
    }
    assertThat(returned).isEqualTo(3);
    assertThat(stats.getArray("allPlansExecution").getFirst().asDocument().keySet())
        .containsExactly("shardName", "allPlans");
  }

  @Test
  void withoutASortShardsAreJustMerged() {
    BsonDocument reply =
        explain(
            new CountRequest(TestShards.COLLECTION, RawDocument.EMPTY, 0, 0, null),
            "{count: 'c'}",
            Verbosity.QUERY_PLANNER);
    assertThat(stage(reply)).isEqualTo("SHARD_MERGE");
    assertThat(reply.containsKey("executionStats")).isFalse();
  }

  @Test
  void oneShardIsSingle() {
    var other = new Namespace("test", "o");
    assertThat(
            stage(
                explain(
                    new CountRequest(other, RawDocument.EMPTY, 0, 0, null),
                    "{count: 'o'}",
                    Verbosity.QUERY_PLANNER)))
        .isEqualTo("SINGLE_SHARD");
  }

  private static String stage(BsonDocument reply) {
    return reply
        .getDocument("queryPlanner")
        .getDocument("winningPlan")
        .getString("stage")
        .getValue();
  }

  @Test
  void aPipelineTellsItsParts() {
    RawDocument stages =
        RawDocument.parse("{p: [{$match: {a: 1}}, {$group: {_id: '$a'}}, {$sort: {_id: 1}}]}")
            .get("p")
            .asDocument();
    Pipeline pipeline = Pipeline.parse(stages, QueryContexts.of(operation, null));
    BsonDocument reply =
        explain(
            new AggregateRequest(TestShards.COLLECTION, pipeline, null),
            "{aggregate: 'c'}",
            Verbosity.EXECUTION_STATS);
    assertThat(reply.getString("mergeType").getValue()).isEqualTo("mongos");
    BsonDocument parts = reply.getDocument("splitPipeline");
    assertThat(parts.getArray("shardsPart")).hasSize(2);
    assertThat(parts.getArray("mergerPart")).hasSize(2);
    assertThat(reply.getDocument("shards").keySet()).containsExactly("s0", "s1");
    assertThat(reply.getDocument("shards").getDocument("s0").keySet())
        .contains("host", "explainVersion", "stages");
  }
}
