package dev.wisent.cluster.router.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineSources;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.server.command.diagnostic.CurrentOpSource;
import java.util.List;

/** {@code $currentOp}: of this router with {@code localOps}, otherwise of all shards. */
public final class RouterSources implements PipelineSources {
  private final CurrentOpSource here;
  private final ShardOperations there;

  public RouterSources(CurrentOpSource here, ShardOperations there) {
    this.here = here;
    this.there = there;
  }

  /** Whether a pipeline begins with a stage that is answered here. */
  public static boolean isSourceOf(Pipeline pipeline) {
    return "$currentOp".equals(pipeline.source());
  }

  @Override
  public List<RawDocument> documents(
      Pipeline pipeline, Namespace namespace, OperationContext operation) {
    if (!isSourceOf(pipeline)) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, pipeline.source() + " is not supported yet");
    }
    RawDocument options = pipeline.sourceArgument();
    RawValue local = options.get("localOps");
    boolean checkedHere =
        !namespace.database().equals("admin") || (local != null && local.isTruthy());
    return checkedHere
        ? here.documents(namespace, options, operation)
        : there.list(operation, options);
  }
}
