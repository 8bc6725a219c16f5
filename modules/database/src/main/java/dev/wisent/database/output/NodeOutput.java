package dev.wisent.database.output;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.write.DocumentSink;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;
import dev.wisent.pipeline.write.PipelineOutput;
import java.util.function.Function;
import java.util.function.Supplier;

/** Writes into the collections of this node. Belongs to one pipeline. */
public final class NodeOutput implements PipelineOutput {
  private final Function<Namespace, ? extends LocalNamespaces> databases;
  private final String database;
  private final boolean bypassValidation;
  private final Supplier<OperationContext> operation;

  /**
   * @param databases where the collections of a name are
   * @param database that of the pipeline
   * @param operation the one of the moment
   */
  public NodeOutput(
      Function<Namespace, ? extends LocalNamespaces> databases,
      String database,
      boolean bypassValidation,
      Supplier<OperationContext> operation) {
    this.databases = databases;
    this.database = database;
    this.bypassValidation = bypassValidation;
    this.operation = operation;
  }

  @Override
  public DocumentSink replace(OutStage stage) {
    String in = stage.database() == null ? database : stage.database();
    if (!Namespace.isValid(in, stage.collection())) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Invalid $out target namespace, " + in + "." + stage.collection());
    }
    var target = new Namespace(in, stage.collection());
    if (target.isInternal()) {
      throw new CommandException(
          ErrorCode.OUT_STAGE_INTERNAL_DATABASE,
          "Can't $out to internal database: " + target.database());
    }
    operation.get().writes().attempt();
    return new CollectionReplacement(databases.apply(target), target, bypassValidation, operation);
  }

  @Override
  public DocumentSink merge(MergeStage stage) {
    String in = stage.database() == null ? database : stage.database();
    if (!Namespace.isValid(in, stage.collection())) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "Invalid $merge target namespace: '" + in + "." + stage.collection() + "'");
    }
    var target = new Namespace(in, stage.collection());
    if (target.isInternal()) {
      throw new CommandException(
          ErrorCode.MERGE_STAGE_INTERNAL_DATABASE,
          "Cannot $merge to internal database: " + target.database());
    }
    operation.get().writes().attempt();
    return new CollectionMerge(databases.apply(target), target, stage, bypassValidation, operation);
  }
}
