package dev.wisent.cluster.router.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.operation.ExplainRequest;
import dev.wisent.pipeline.Pipeline;
import java.util.List;
import java.util.Set;

/** What explain tells of a pipeline: its parts, and what each shard does with the first one. */
public final class PipelineExplanation {
  /** What the reply of a shard repeats. */
  private static final Set<String> OF_REPLY =
      Set.of("ok", "command", "serverInfo", "serverParameters", "$clusterTime", "operationTime");

  private PipelineExplanation() {}

  static RawDocument of(
      AggregatedReads.Plan plan, List<ShardReply> replies, ExplainRequest request) {
    boolean split =
        plan.split().order() != null
            || !plan.split().merge().stages().isEmpty()
            || replies.size() > 1;
    if (split) {
      return ofParts(plan.split().shard(), plan.split().merge(), replies, request);
    }
    return shards(new BsonBuilder().appendNull("splitPipeline"), replies, request);
  }

  /**
   * Of a pipeline whose parts run on shards and here.
   *
   * @param shard null where no shard has a part
   */
  public static RawDocument ofParts(
      Pipeline shard, Pipeline merge, List<ShardReply> replies, ExplainRequest request) {
    var out = new BsonBuilder();
    out.appendString("mergeType", "mongos");
    out.startDocument("splitPipeline");
    appendStages(out, "shardsPart", shard);
    appendStages(out, "mergerPart", merge);
    return shards(out.end(), replies, request);
  }

  private static RawDocument shards(
      BsonBuilder out, List<ShardReply> replies, ExplainRequest request) {
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

  private static void appendStages(BsonBuilder out, String name, Pipeline part) {
    out.startArray(name);
    int count = 0;
    for (RawDocument stage : part == null ? List.<RawDocument>of() : part.explained()) {
      out.appendDocument(count++, stage);
    }
    out.end();
  }
}
