package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineTarget;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.pipeline.write.PipelineOutput;
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
   * much for one message is gathered there in a temporary collection first.
   */
  private final class Replacement implements DocumentSink {
    private final String database;
    private final OutStage stage;
    private final Supplier<OperationContext> operation;
    private final String shard;
    private final List<RawDocument> documents = new ArrayList<>();
    private final Namespace temporary;
    private long bytes;
    private DocumentSink gathering;

    Replacement(String database, OutStage stage, Supplier<OperationContext> operation) {
      this.database = database;
      this.stage = stage;
      this.operation = operation;
      Namespace into = PipelineTarget.of(stage, database);
      if (targets.isSharded(into)) {
        throw new CommandException(
            ErrorCode.NAMESPACE_CANNOT_BE_SHARDED,
            "namespace '" + into + "' is sharded so it can't be used for $out");
      }
      this.shard = targets.shardOf(into, RawDocument.EMPTY);
      this.temporary =
          new Namespace(into.database(), "tmp.agg_out." + operation.get().random().nextUuid());
    }

    @Override
    public void add(RawDocument document) {
      if (gathering != null) {
        gathering.add(document);
        return;
      }
      documents.add(RawDocument.of(document.toByteArray()));
      bytes += document.length();
      if (bytes > Limits.DOCUMENT_BYTES_MAX / 2) {
        gathering = new Merge(temporary.database(), temporary, insertion(), operation);
        documents.forEach(gathering::add);
        documents.clear();
      }
    }

    private Stage insertion() {
      return new MergeStage(
          null,
          temporary.collection(),
          null,
          Map.of(),
          MergeStage.WhenMatched.FAIL,
          null,
          MergeStage.WhenNotMatched.INSERT,
          null);
    }

    @Override
    public void complete() {
      if (gathering == null) {
        write(operation.get(), shard, database, documents, stage);
        return;
      }
      gathering.complete();
      var command = new BsonBuilder().appendString("aggregate", temporary.collection());
      var out = new OutStage(null, stage.collection());
      command.startArray("pipeline").appendDocument(0, out.serialize().getFirst()).end();
      command.startDocument("cursor").end();
      if (operation.get().bypassesValidation()) {
        command.appendBoolean("bypassDocumentValidation", true);
      }
      send(operation.get(), command.toDocument());
    }

    private void send(OperationContext under, RawDocument command) {
      calls.call(under, ShardRequest.write(shard, temporary.database(), command, List.of()));
    }

    @Override
    public void close() {
      if (gathering == null) {
        return;
      }
      try {
        send(
            OperationContext.internal(operation.get().clock()),
            new BsonBuilder().appendString("drop", temporary.collection()).toDocument());
      } catch (CommandException e) {
        // Why the pipeline fails is told already; what is left is named as temporary.
      }
    }
  }
}
