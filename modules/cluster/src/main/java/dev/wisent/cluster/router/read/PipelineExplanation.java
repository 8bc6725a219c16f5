package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.pipeline.Pipeline;
import java.util.List;
import java.util.Set;

/** What explain tells of a pipeline: its parts, and what each shard does with the first one. */
record PipelineExplanation(AggregatedReads.Plan plan, List<ShardReply> replies) {
  /** What the reply of a shard repeats. */
  private static final Set<String> OF_REPLY =
      Set.of("ok", "command", "serverInfo", "serverParameters", "$clusterTime", "operationTime");

  RawDocument toDocument(ExplainRequest request) {
    var out = new BsonBuilder();
    if (isSplit()) {
      out.appendString("mergeType", "mongos");
      out.startDocument("splitPipeline");
      appendStages(out, "shardsPart", plan.split().shard());
      appendStages(out, "mergerPart", plan.split().merge());
      out.end();
    } else {
      out.appendNull("splitPipeline");
    }
    out.startDocument("shards");
    for (ShardReply reply : replies) {
      out.startDocument(reply.request().shard()).appendString("host", reply.host().toString());
      out.appendAll(reply.get().without(OF_REPLY)).end();
    }
    out.end();
    return out.appendAll(request.server())
        .appendDocument("command", request.command())
        .toDocument();
  }

  /** A pipeline that one shard runs as a whole, as that tells it. */
  static RawDocument ofOneShard(ShardReply reply, ExplainRequest request) {
    return new BsonBuilder()
        .appendAll(reply.get().without(OF_REPLY))
        .appendAll(request.server())
        .appendDocument("command", request.command())
        .toDocument();
  }

  private boolean isSplit() {
    return plan.split().order() != null
        || !plan.split().merge().stages().isEmpty()
        || replies.size() > 1;
  }

  private static void appendStages(BsonBuilder out, String name, Pipeline part) {
    out.startArray(name);
    int count = 0;
    for (RawDocument stage : part == null ? List.<RawDocument>of() : part.explained()) {
      out.appendDocument(count++, stage);
    }
    out.end();
  }
}
