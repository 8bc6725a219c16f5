package dev.wisent.cluster.call;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Answers finds, in batches that are as small as those of long documents. */
public final class BatchedFinds implements ShardCalls {
  private static final long CURSOR = 5;

  private final int batchMax;
  private final Function<RawDocument, List<RawDocument>> finds;
  private List<RawDocument> rest = List.of();
  private int killed;

  /**
   * @param finds all documents that a command finds
   */
  public BatchedFinds(int batchMax, Function<RawDocument, List<RawDocument>> finds) {
    this.batchMax = batchMax;
    this.finds = finds;
  }

  /** How many cursors were ended before they had given everything. */
  public int killed() {
    return killed;
  }

  @Override
  public ShardCall start(OperationContext operation, ShardRequest request) {
    RawDocument command = request.command();
    boolean first = command.get("getMore") == null;
    if (first) {
      rest = new ArrayList<>(finds.apply(command));
    }
    int count = Math.min(batchMax, rest.size());
    var out = new BsonBuilder().startDocument("cursor");
    out.startArray(first ? "firstBatch" : "nextBatch");
    for (int i = 0; i < count; i++) {
      out.appendDocument(i, rest.get(i));
    }
    boolean single = command.get("singleBatch") != null;
    rest = single ? List.of() : rest.subList(count, rest.size());
    out.end().appendInt64("id", rest.isEmpty() ? 0 : CURSOR).appendString("ns", "config.c").end();
    RawDocument body = out.appendInt32("ok", 1).toDocument();
    return new Done(new ShardReply(request, new HostAndPort("localhost", 1), body, null));
  }

  @Override
  public void killCursor(String shard, HostAndPort host, Namespace namespace, long id) {
    killed++;
  }

  private record Done(ShardReply reply) implements ShardCall {
    @Override
    public ShardRequest request() {
      return reply.request();
    }

    @Override
    public ShardReply await(OperationContext operation) {
      return reply;
    }

    @Override
    public void whenDone(Runnable action) {
      action.run();
    }

    @Override
    public boolean isDone() {
      return true;
    }

    @Override
    public void cancel() {
      // It is done.
    }
  }
}
