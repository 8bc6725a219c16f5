package dev.wisent.server.command.crud;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.Namespace;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.server.command.CommandContext;
import java.util.List;

/** Stages such as {@code $currentOp} that make documents from the state of the server. */
@FunctionalInterface
public interface PipelineSources {
  /** The documents of the pipeline's source stage. */
  List<RawDocument> documents(Pipeline pipeline, Namespace namespace, CommandContext context);
}
