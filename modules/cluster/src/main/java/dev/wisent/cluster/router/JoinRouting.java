package dev.wisent.cluster.router;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.join.SourceNames;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.sharding.RoutingCatalog;

/** Where pipelines of unsharded collections run that have to do with other collections. */
final class JoinRouting {
  private final RoutingCatalog catalog;

  JoinRouting(RoutingCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Whether the stages run on this router, as they read or write what may not be where the
   * collection is. All others run on the primary shard, which tells where it has but a part of
   * something.
   *
   * @param aggregate the command, or the one that is explained
   */
  boolean isForRouter(OperationContext operation, CommandRequest request, RawDocument aggregate) {
    if (!Pipelines.joins(aggregate)) {
      return false;
    }
    return Pipelines.writes(aggregate)
        || Pipelines.mentionsReports(aggregate)
        || catalog.database(operation, request.database()) == null
        || !areUnsharded(operation, request.database(), aggregate.get("pipeline"));
  }

  private boolean areUnsharded(OperationContext operation, String database, RawValue pipeline) {
    boolean[] all = {true};
    SourceNames.forEach(
        pipeline.asDocument(),
        source -> all[0] = all[0] && isUnsharded(operation, database, source));
    return all[0];
  }

  /** A name that is no string is in another database, or wrong. */
  private boolean isUnsharded(OperationContext operation, String database, RawValue source) {
    return source.isString()
        && !source.asString().isEmpty()
        && catalog.collection(operation, new Namespace(database, source.asString())) == null;
  }
}
