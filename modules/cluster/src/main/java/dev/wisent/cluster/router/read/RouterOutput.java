package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineTarget;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.pipeline.write.PipelineOutput;
import dev.wisent.wire.HostAndPort;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Has shards write what a pipeline gives: each gets the documents that belong to it, as a pipeline
 * of its own over them.
 */
final class RouterOutput {
  private static final int BATCH_DOCUMENTS_MAX = 1000;
  private static final int BATCH_BYTES_MAX = 1 << 20;

  private final ShardCalls calls;
  private final ReadTargets targets;

  RouterOutput(ShardCalls calls, ReadTargets targets) {
    this.calls = calls;
    this.targets = targets;
  }

  /**
   * @param database that of the pipeline
   * @param operation the one of the moment
   */
  PipelineOutput of(String database, Supplier<OperationContext> operation) {
    return new PipelineOutput() {
      @Override
      public DocumentSink replace(OutStage stage) {
        return new Replacement(database, stage, operation);
      }

      @Override
      public DocumentSink merge(MergeStage stage) {
        return new Merge(database, PipelineTarget.of(stage, database), stage, operation);
      }
    };
  }

  private void write(
      OperationContext operation,
      String shard,
      String database,
      List<RawDocument> documents,
      Stage stage) {
    var command = new BsonBuilder().appendInt32("aggregate", 1);
    command.startArray("pipeline").startDocument(0).startDocument("$documents");
    command.startArray("$literal");
    for (int i = 0; i < documents.size(); i++) {
      command.appendDocument(i, documents.get(i));
    }
    command.end().end().end();
    command.appendDocument(1, stage.serialize().getFirst()).end();
    command.startDocument("cursor").end().appendBoolean("fromRouter", true);
    if (operation.bypassesValidation()) {
      command.appendBoolean("bypassDocumentValidation", true);
    }
    if (stage instanceof MergeStage merge && merge.collation() != null) {
      command.appendDocument("collation", merge.collation().document());
    }
    ShardCommands.appendLet(command, operation);
    calls.call(operation, ShardRequest.write(shard, database, command.toDocument(), List.of()));
  }

  /** Documents that go into a collection, many at once. */
  private final class Merge implements DocumentSink {
    private final String database;
    private final Namespace into;
    private final Stage stage;
    private final Supplier<OperationContext> operation;
    private final Map<String, List<RawDocument>> gathered = new LinkedHashMap<>();
    private int count;
    private long bytes;

    Merge(String database, Namespace into, Stage stage, Supplier<OperationContext> operation) {
      this.database = database;
      this.into = into;
      this.stage = stage;
      this.operation = operation;
    }

    @Override
    public void add(RawDocument document) {
      gathered
          .computeIfAbsent(targets.shardOf(into, document), unused -> new ArrayList<>())
          .add(RawDocument.of(document.toByteArray()));
      bytes += document.length();
      if (++count == BATCH_DOCUMENTS_MAX || bytes >= BATCH_BYTES_MAX) {
        flush();
      }
    }

    private void flush() {
      gathered.forEach(
          (shard, documents) -> write(operation.get(), shard, database, documents, stage));
      gathered.clear();
      count = 0;
      bytes = 0;
    }

    @Override
    public void complete() {
      flush();
    }

    @Override
    public void close() {}
  }

  /**
   * A collection in the place of another one, which the shard replaces in one step. What is too
   * much for one message is gathered there, for as long as a cursor of this pipeline is open.
   */
  private final class Replacement implements DocumentSink {
    private final String database;
    private final OutStage stage;
    private final Supplier<OperationContext> operation;
    private final Namespace into;
    private final String shard;
    private final List<RawDocument> documents = new ArrayList<>();
    private long bytes;

    /** The cursor on the shard; 0 for none. */
    private long cursor;

    /** The member that has the cursor. */
    private HostAndPort host;

    Replacement(String database, OutStage stage, Supplier<OperationContext> operation) {
      this.database = database;
      this.stage = stage;
      this.operation = operation;
      String in = stage.database() == null ? database : stage.database();
      this.into = new Namespace(in, stage.collection());
      if (targets.isSharded(into)) {
        throw new CommandException(
            ErrorCode.NAMESPACE_CANNOT_BE_SHARDED,
            "namespace '" + into + "' is sharded so it can't be used for $out");
      }
      this.shard = targets.shardOf(into, RawDocument.EMPTY);
    }

    @Override
    public void add(RawDocument document) {
      documents.add(RawDocument.of(document.toByteArray()));
      bytes += document.length();
      if (bytes > BATCH_BYTES_MAX) {
        send(false);
      }
    }

    @Override
    public void complete() {
      if (cursor == 0) {
        write(operation.get(), shard, database, documents, stage);
      } else {
        send(true);
      }
    }

    /** Sends what has come, in messages that are not too large. */
    private void send(boolean complete) {
      int sent = 0;
      do {
        int to = sent;
        long size = 0;
        while (to < documents.size() && size < BATCH_BYTES_MAX) {
          size += documents.get(to++).length();
        }
        send(documents.subList(sent, to), complete && to == documents.size());
        sent = to;
      } while (sent < documents.size());
      documents.clear();
      bytes = 0;
    }

    private void send(List<RawDocument> some, boolean complete) {
      var command = new BsonBuilder().appendString("_shardsvrReplaceCollection", into.full());
      command.appendInt64("output", cursor).startArray("documents");
      for (int i = 0; i < some.size(); i++) {
        command.appendDocument(i, some.get(i));
      }
      command.end().appendBoolean("complete", complete);
      if (operation.get().bypassesValidation()) {
        command.appendBoolean("bypassDocumentValidation", true);
      }
      ShardRequest request = ShardRequest.write(shard, "admin", command.toDocument(), List.of());
      ShardReply reply =
          calls
              .start(operation.get(), cursor == 0 ? request : request.at(host))
              .await(operation.get());
      cursor = reply.get().get("output").toLong();
      host = reply.host();
    }

    @Override
    public void close() {
      if (cursor != 0) {
        calls.killCursor(shard, host, into, cursor);
      }
    }
  }
}
