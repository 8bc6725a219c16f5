package dev.wisent.pipeline.write;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;

/** A stage that writes. It stands last, and gives no documents. */
public sealed interface WriteStage extends Stage permits OutStage, MergeStage {
  String name();

  /** The stage of a pipeline that writes; null if none does. */
  static WriteStage of(Pipeline pipeline) {
    return !pipeline.stages().isEmpty() && pipeline.stages().getLast() instanceof WriteStage last
        ? last
        : null;
  }

  /** Fails for a collection that is the server's own. */
  default void checkSystem(String collection, ErrorCode code, String verb) {
    if (collection.startsWith("system.")) {
      throw new CommandException(
          code, verb + " " + name() + " to special collection: " + collection);
    }
  }
}
