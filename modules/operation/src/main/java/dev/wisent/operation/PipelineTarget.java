package dev.wisent.operation;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.write.MergeStage;
import dev.wisent.pipeline.write.OutStage;

/** The collection that the last stage of a pipeline writes to. */
public final class PipelineTarget {
  private PipelineTarget() {}

  /**
   * The target of {@code $out}.
   *
   * @param database that of the pipeline
   */
  public static Namespace of(OutStage stage, String database) {
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
    return target;
  }

  /**
   * The target of {@code $merge}.
   *
   * @param database that of the pipeline
   */
  public static Namespace of(MergeStage stage, String database) {
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
    return target;
  }
}
