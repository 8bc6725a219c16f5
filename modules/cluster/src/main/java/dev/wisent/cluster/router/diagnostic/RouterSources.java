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
import dev.wisent.server.privilege.Principal;
import dev.wisent.sharding.RoutingCatalog;
import java.util.List;
import java.util.Set;

/**
 * The stages that tell of the whole cluster: {@code $currentOp}, of this router with {@code
 * localOps} and otherwise of all shards, and the lists of collections and of their sizes.
 */
public final class RouterSources implements PipelineSources {
  private static final String ADMIN = "admin";

  /** What a pipeline without a collection begins with that is answered here. */
  private static final Set<String> STAGES =
      Set.of("$currentOp", "$listCatalog", "$listClusterCatalog", "$shardedDataDistribution");

  private final CurrentOpSource here;
  private final ShardOperations there;
  private final ClusterCatalog collections;
  private final DataDistribution distribution;

  public RouterSources(CurrentOpSource here, RoutingCatalog catalog, AllShards shards) {
    this.here = here;
    this.there = new ShardOperations(shards);
    this.collections = new ClusterCatalog(catalog, shards);
    this.distribution = new DataDistribution(shards);
  }

  /** Whether a pipeline without a collection that begins with a stage is answered here. */
  public static boolean answers(String stage) {
    return STAGES.contains(stage);
  }

  @Override
  public List<RawDocument> documents(
      Pipeline pipeline, Namespace namespace, OperationContext operation) {
    RawDocument argument = pipeline.sourceArgument();
    String database = namespace.database();
    return switch (pipeline.source()) {
      case "$currentOp" -> operations(namespace, argument, operation);
      case "$listCatalog" -> {
        if (!database.equals(ADMIN)) {
          throw new CommandException(
              ErrorCode.INVALID_NAMESPACE,
              "Collectionless $listCatalog must be run against the 'admin' database with"
                  + " {aggregate: 1}");
        }
        yield collections.stored(operation);
      }
      case "$listClusterCatalog" -> collections.listed(operation, database, argument);
      case "$shardedDataDistribution" -> {
        if (!database.equals(ADMIN)) {
          throw new CommandException(
              ErrorCode.INVALID_NAMESPACE,
              "$shardedDataDistribution must be run against the 'admin' database with"
                  + " {aggregate: 1}");
        }
        yield distribution.list(operation);
      }
      default ->
          throw new CommandException(
              ErrorCode.NOT_IMPLEMENTED, pipeline.source() + " is not supported yet");
    };
  }

  private Principal onlyOf(RawDocument options, OperationContext operation) {
    RawValue all = options.get("allUsers");
    return all != null && all.isTruthy() ? Principal.UNRESTRICTED : here.principalOf(operation);
  }

  private List<RawDocument> operations(
      Namespace namespace, RawDocument options, OperationContext operation) {
    RawValue local = options.get("localOps");
    boolean checkedHere =
        !namespace.database().equals(ADMIN) || (local != null && local.isTruthy());
    return checkedHere
        ? here.documents(namespace, options, operation)
        : there.list(operation, options, onlyOf(options, operation));
  }
}
