package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.cluster.call.ShardCalls;
import dev.wisent.cluster.call.ShardReply;
import dev.wisent.cluster.call.ShardRequest;
import dev.wisent.cluster.call.StaleRetry;
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
import org.bson.types.ObjectId;

/**
 * Has shards write what a pipeline gives: each gets the documents that belong to it, as a pipeline
 * of its own over them.
 */
final class RouterOutput {
  private static final int BATCH_DOCUMENTS_MAX = 1000;
  private static final int BATCH_BYTES_MAX = 1 << 20;

  /** How often a batch is routed, as with other writes. */
  private static final int ATTEMPTS_MAX = 10;

  private final ShardCalls calls;
  private final ReadTargets targets;
  private final StaleRetry stale;
  private final OpenOutputs open;

  RouterOutput(ShardCalls calls, ReadTargets targets, StaleRetry stale, OpenOutputs open) {
    this.calls = calls;
    this.targets = targets;
    this.stale = stale;
    this.open = open;
  }

  /**
   * @param database that of the pipeline
   * @param operation the one of the moment
   */
  PipelineOutput of(String database, Supplier<OperationContext> operation) {
    return new PipelineOutput() {
      @Override
      public DocumentSink replace(OutStage stage) {
        Namespace into = PipelineTarget.of(stage, database);
        ObjectId epoch = targets.movedEpoch(into);
        return epoch == null
            ? new Replacement(database, stage, operation)
            : replaceMoved(into, epoch, operation);
      }

      @Override
      public DocumentSink merge(MergeStage stage) {
        return new Merge(database, PipelineTarget.of(stage, database), stage, operation);
      }
    };
  }

  private DocumentSink replaceMoved(
      Namespace into, ObjectId epoch, Supplier<OperationContext> operation) {
    String shard = targets.ofDocument(into, RawDocument.EMPTY).shard();
    var gathered = new Namespace(into.database(), MovedReplacement.PREFIX + open.name());
    ReadTarget primary = targets.ofDocument(gathered, RawDocument.EMPTY);
    var target = new MovedReplacement.Target(into, shard, epoch, primary);
    return new MovedReplacement(
        calls,
        target,
        gathered,
        name -> new Merge(name.database(), name, inserting(name), operation),
        operation);
  }

  private static MergeStage inserting(Namespace into) {
    return new MergeStage(
        into.database(),
        into.collection(),
        null,
        Map.of(),
        MergeStage.WhenMatched.FAIL,
        null,
        MergeStage.WhenNotMatched.INSERT,
        null);
  }

  /** Writes a batch. A shard that the versions are wrong for has written nothing of it. */
  private void write(
      OperationContext operation,
      ReadTarget target,
      String database,
      Namespace into,
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
    command.startDocument("outputVersions").appendString("ns", into.full());
    command.appendAll(target.versions()).end();
    calls.call(
        operation, ShardRequest.write(target.shard(), database, command.toDocument(), List.of()));
  }

  /** Documents that go into a collection, many at once. */
  private final class Merge implements DocumentSink {
    private final String database;
    private final Namespace into;
    private final Stage stage;
    private final Supplier<OperationContext> operation;
    private final List<RawDocument> gathered = new ArrayList<>();
    private long bytes;

    Merge(String database, Namespace into, Stage stage, Supplier<OperationContext> operation) {
      this.database = database;
      this.into = into;
      this.stage = stage;
      this.operation = operation;
    }

    @Override
    public void add(RawDocument document) {
      gathered.add(RawDocument.of(document.toByteArray()));
      bytes += document.length();
      if (gathered.size() == BATCH_DOCUMENTS_MAX || bytes >= BATCH_BYTES_MAX) {
        flush();
      }
    }

    private void flush() {
      route(gathered, 1);
      gathered.clear();
      bytes = 0;
    }

    private void route(List<RawDocument> documents, int attempt) {
      var byShard = new LinkedHashMap<ReadTarget, List<RawDocument>>();
      for (RawDocument document : documents) {
        byShard
            .computeIfAbsent(targets.ofDocument(into, document), unused -> new ArrayList<>())
            .add(document);
      }
      byShard.forEach((target, some) -> write(target, some, attempt));
    }

    private void write(ReadTarget target, List<RawDocument> documents, int attempt) {
      OperationContext current = operation.get();
      try {
        RouterOutput.this.write(current, target, database, into, documents, stage);
      } catch (CommandException e) {
        if (RoutedOperation.isStatement(current) || !stale.refresh(e)) {
          throw e;
        }
        if (attempt == ATTEMPTS_MAX) {
          // Not the same error: with that the whole pipeline would be run again.
          throw new CommandException(
              ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS,
              "the shards of " + into + " change while it is written to: " + e.getMessage());
        }
        current.checkNow();
        route(documents, attempt + 1);
      }
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
   * much for one message is gathered there, for as long as a cursor of this pipeline is open and
   * this router tells that it is there.
   */
  private final class Replacement implements DocumentSink, OpenOutputs.Output {
    private final String database;
    private final OutStage stage;
    private final Supplier<OperationContext> operation;
    private final Namespace into;
    private final ReadTarget target;
    private final List<RawDocument> documents = new ArrayList<>();
    private long bytes;

    /** The cursor on the shard; 0 for none. */
    private volatile long cursor;

    /** The member that has the cursor. */
    private volatile HostAndPort host;

    Replacement(String database, OutStage stage, Supplier<OperationContext> operation) {
      this.database = database;
      this.stage = stage;
      this.operation = operation;
      this.into = PipelineTarget.of(stage, database);
      if (targets.isSharded(into)) {
        throw new CommandException(
            ErrorCode.NAMESPACE_CANNOT_BE_SHARDED,
            "namespace '" + into + "' is sharded so it can't be used for $out");
      }
      this.target = targets.ofDocument(into, RawDocument.EMPTY);
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
        write(operation.get(), target, database, into, documents, stage);
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
      command.appendAll(target.versions());
      ShardRequest request =
          ShardRequest.write(target.shard(), "admin", command.toDocument(), List.of());
      ShardReply reply =
          calls
              .start(operation.get(), cursor == 0 ? request : request.at(host))
              .await(operation.get());
      host = reply.host();
      boolean first = cursor == 0;
      cursor = reply.get().get("output").toLong();
      if (first && cursor != 0) {
        open.add(this);
      }
    }

    @Override
    public ShardRequest heartbeat() {
      var command = new BsonBuilder().appendString("_shardsvrReplaceCollection", into.full());
      command.appendInt64("output", cursor).appendBoolean("heartbeat", true);
      return ShardRequest.control(target.shard(), "admin", command.toDocument()).at(host);
    }

    @Override
    public void close() {
      open.remove(this);
      if (cursor != 0) {
        calls.killCursor(target.shard(), host, into, cursor);
      }
    }
  }
}
