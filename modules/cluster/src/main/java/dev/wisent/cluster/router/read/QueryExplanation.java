package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.operation.ExplainRequest.Verbosity;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What explain tells of an operation that each shard has a plan for.
 *
 * @param stage what the router does with the results
 */
record QueryExplanation(ReadTargets targets, String stage, List<ShardReply> replies) {
  RawDocument toDocument(ExplainRequest request, long nanos) {
    var out = new BsonBuilder();
    appendPlans(out);
    if (request.verbosity().runs()) {
      out.startDocument("executionStats");
      appendTotals(out, nanos);
      out.startDocument("executionStages").appendString("stage", stage);
      appendTotals(out, nanos);
      out.appendInt64("totalChildMillis", sum("executionTimeMillis"));
      appendRuns(out);
      out.end();
      if (request.verbosity() == Verbosity.ALL_PLANS_EXECUTION) {
        appendAllPlans(out);
      }
      out.end();
    }
    return out.appendAll(request.server())
        .appendDocument("command", request.command())
        .toDocument();
  }

  private void appendPlans(BsonBuilder out) {
    out.startDocument("queryPlanner").appendInt32("mongosPlannerVersion", 1);
    out.startDocument("winningPlan").appendString("stage", stage).startArray("shards");
    for (int i = 0; i < replies.size(); i++) {
      RawDocument reply = replies.get(i).get();
      String shard = replies.get(i).request().shard();
      out.startDocument(i);
      if (reply.get("explainVersion") != null) {
        out.append("explainVersion", reply.get("explainVersion"));
      }
      out.appendString("shardName", shard);
      out.appendString("connectionString", targets.connectionString(shard));
      out.appendDocument("serverInfo", ExplainedReads.document(reply, "serverInfo"));
      out.appendAll(ExplainedReads.document(reply, "queryPlanner"));
      out.end();
    }
    out.end().end().end();
  }

  private void appendTotals(BsonBuilder out, long nanos) {
    appendSum(out, "nReturned");
    out.appendInt32("executionTimeMillis", (int) TimeUnit.NANOSECONDS.toMillis(nanos));
    appendSum(out, "totalKeysExamined");
    appendSum(out, "totalDocsExamined");
  }

  private void appendSum(BsonBuilder out, String field) {
    long sum = sum(field);
    if (sum == (int) sum) {
      out.appendInt32(field, (int) sum);
    } else {
      out.appendInt64(field, sum);
    }
  }

  private long sum(String field) {
    long sum = 0;
    for (ShardReply reply : replies) {
      RawValue value = stats(reply).get(field);
      sum += value == null ? 0 : value.toLong();
    }
    return sum;
  }

  private static RawDocument stats(ShardReply reply) {
    return ExplainedReads.document(reply.get(), "executionStats");
  }

  private void appendRuns(BsonBuilder out) {
    out.startArray("shards");
    for (int i = 0; i < replies.size(); i++) {
      out.startDocument(i).appendString("shardName", replies.get(i).request().shard());
      out.appendAll(stats(replies.get(i)).without(Set.of("allPlansExecution"))).end();
    }
    out.end();
  }

  private void appendAllPlans(BsonBuilder out) {
    out.startArray("allPlansExecution");
    for (int i = 0; i < replies.size(); i++) {
      out.startDocument(i).appendString("shardName", replies.get(i).request().shard());
      RawValue plans = stats(replies.get(i)).get("allPlansExecution");
      out.append("allPlans", plans == null ? RawValue.ofArray(RawDocument.EMPTY) : plans).end();
    }
    out.end();
  }
}
