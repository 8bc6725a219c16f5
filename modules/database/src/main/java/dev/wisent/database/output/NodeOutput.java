package dev.wisent.database.output;

import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.PipelineTarget;
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
    Namespace target = PipelineTarget.of(stage, database);
    operation.get().writes().attempt();
    return new CollectionReplacement(databases.apply(target), target, bypassValidation, operation);
  }

  @Override
  public DocumentSink merge(MergeStage stage) {
    Namespace target = PipelineTarget.of(stage, database);
    operation.get().writes().attempt();
    return new CollectionMerge(databases.apply(target), target, stage, bypassValidation, operation);
  }
}
