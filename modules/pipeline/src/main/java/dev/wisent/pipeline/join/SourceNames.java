package dev.wisent.pipeline.join;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.function.Consumer;

/** Finds what stages of a pipeline read besides its own input, without parsing the pipeline. */
public final class SourceNames {
  private SourceNames() {}

  /**
   * Goes through a pipeline and those inside of its stages. What is no pipeline has no names.
   *
   * @param sources gets each name as it is written: mostly a string, for a collection or a view
   */
  public static void forEach(RawDocument pipeline, Consumer<RawValue> sources) {
    ElementCursor stages = pipeline.elements();
    while (stages.next()) {
      if (stages.value().isDocument()) {
        ElementCursor stage = stages.value().elements();
        if (stage.next()) {
          ofStage(stage.name(), stage.value(), sources);
        }
      }
    }
  }

  private static void ofStage(String stage, RawValue argument, Consumer<RawValue> sources) {
    switch (stage) {
      case "$unionWith" -> {
        if (argument.isString()) {
          sources.accept(argument);
        } else {
          ofArgument(argument, "coll", sources);
        }
      }
      case "$lookup", "$graphLookup" -> ofArgument(argument, "from", sources);
      case "$facet" -> {
        if (argument.isDocument()) {
          ElementCursor branches = argument.elements();
          while (branches.next()) {
            ofPipeline(branches.value(), sources);
          }
        }
      }
      default -> {}
    }
  }

  private static void ofArgument(RawValue argument, String field, Consumer<RawValue> sources) {
    if (!argument.isDocument()) {
      return;
    }
    RawValue from = argument.asDocument().get(field);
    if (from != null) {
      sources.accept(from);
    }
    RawValue pipeline = argument.asDocument().get("pipeline");
    if (pipeline != null) {
      ofPipeline(pipeline, sources);
    }
  }

  private static void ofPipeline(RawValue pipeline, Consumer<RawValue> sources) {
    if (pipeline.isArray()) {
      forEach(pipeline.asDocument(), sources);
    }
  }
}
