package dev.wisent.cluster.shard;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.view.Views;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.ShardedViewException;

/**
 * Looks at what stages of a router's pipeline read besides its collection: a router that takes all
 * of that to be unsharded sends the pipeline as a whole. Where this shard has but a part of it, the
 * router has to run these stages itself, and learns so before the first result. Thread-safe.
 */
final class JoinCheck {
  private final Views views;
  private final Ownership ownership;

  JoinCheck(Views views, Ownership ownership) {
    this.views = views;
    this.ownership = ownership;
  }

  void check(CommandRequest request, OperationContext operation) {
    RawDocument pipeline = pipeline(request);
    if (pipeline == null) {
      return;
    }
    for (Namespace source : views.sources(request.database(), pipeline)) {
      if (ownership.isPart(source, operation)) {
        throw new ShardedViewException(source);
      }
    }
  }

  /** That of an aggregate, or of one that is explained; null for any other command. */
  private static RawDocument pipeline(CommandRequest request) {
    RawDocument command =
        request.name().equals("explain") && request.argument().isDocument()
            ? request.argument().asDocument()
            : request.body();
    boolean aggregates = request.name().equals("aggregate") || command.get("aggregate") != null;
    RawValue pipeline = aggregates ? command.get("pipeline") : null;
    return pipeline != null && pipeline.isArray() ? pipeline.asDocument() : null;
  }
}
