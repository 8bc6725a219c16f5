package dev.wisent.cluster.config;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.ClusterMetadata;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What a new shard has in common with the cluster: its parameters, and its write concern. */
final class ShardSettings {
  private static final String PARAMETERS = "clusterParameters";
  private static final String TIME = "clusterParameterTime";
  private static final Set<String> NOT_OF_VALUE = Set.of("_id", TIME);

  private final ClusterMetadata metadata;

  ShardSettings(ClusterMetadata metadata) {
    this.metadata = metadata;
  }

  /**
   * Refuses a set that waits for other members than the cluster says: routers send no write concern
   * where none is set, and a shard then uses its own.
   */
  void checkWriteConcern(OperationContext operation, ShardCandidate candidate) {
    RawDocument ofShard = candidate.defaultConcerns();
    boolean isSet = "global".equals(DocumentFields.text(ofShard, "defaultWriteConcernSource"));
    RawDocument settings =
        metadata.store().findById(operation, "settings", "ReadWriteConcernDefaults");
    RawDocument cluster = settings == null ? null : concern(settings);
    RawDocument shard = concern(ofShard);
    if (isSet && cluster == null) {
      throw failed(
          candidate, "a default write concern is set on the shard, and none on the cluster");
    }
    if (isSet && !isSame(cluster, shard)) {
      throw failed(
          candidate,
          "the default write concern set on the shard is not the one set on the cluster");
    }
    if (cluster == null && shard != null && isOne(shard.get("w"))) {
      throw failed(
          candidate,
          "the implicit default write concern on this shard is {w: 1}, because of the arbiters in"
              + " its configuration. Change that, or set the default write concern of the cluster"
              + " with setDefaultRWConcern, and try again");
    }
  }

  private static RawDocument concern(RawDocument of) {
    RawValue concern = of.get("defaultWriteConcern");
    return concern == null || !concern.isDocument() || concern.asDocument().isEmpty()
        ? null
        : concern.asDocument();
  }

  private static boolean isSame(RawDocument one, RawDocument other) {
    return isSame(one.get("w"), other.get("w"))
        && Objects.equals(one.get("j"), other.get("j"))
        && millis(one) == millis(other);
  }

  private static boolean isSame(RawValue one, RawValue other) {
    if (one == null || other == null || !one.isNumber() || !other.isNumber()) {
      return Objects.equals(one, other);
    }
    return one.toLong() == other.toLong();
  }

  private static long millis(RawDocument concern) {
    RawValue timeout = concern.get("wtimeout");
    return timeout != null && timeout.isNumber() ? timeout.toLong() : 0;
  }

  private static boolean isOne(RawValue members) {
    return members != null && members.isNumber() && members.toLong() == 1;
  }

  private static CommandException failed(ShardCandidate candidate, String reason) {
    return new CommandException(
        ErrorCode.OPERATION_FAILED,
        "Cannot add " + candidate.connectionString() + " as a shard since " + reason);
  }

  /** The parameters of the cluster, for {@link #giveIfChanged}. */
  List<RawDocument> parameters(OperationContext operation) {
    return metadata.store().find(operation, PARAMETERS, RawDocument.EMPTY);
  }

  /**
   * Gives a set the parameters of the cluster. Those of the first shard are the cluster's, if that
   * has none.
   *
   * @return what it was given
   */
  List<RawDocument> give(OperationContext operation, ShardCandidate candidate) {
    List<RawDocument> ofCluster = parameters(operation);
    boolean isFirst = metadata.store().count(operation, "shards", RawDocument.EMPTY) == 0;
    if (ofCluster.isEmpty() && isFirst) {
      candidate.parameters().stream()
          .filter(parameter -> parameter.get(TIME) != null)
          .forEach(parameter -> metadata.store().put(operation, PARAMETERS, parameter));
      return parameters(operation);
    }
    send(candidate, ofCluster);
    return ofCluster;
  }

  /**
   * Gives a shard that routers know of what has changed since: a router that changes a parameter
   * stores it here first, and asks for the shards then.
   */
  void giveIfChanged(OperationContext operation, ShardCandidate shard, List<RawDocument> given) {
    List<RawDocument> now = parameters(operation);
    if (!now.equals(given)) {
      send(shard, now);
    }
  }

  private static void send(ShardCandidate to, List<RawDocument> parameters) {
    for (RawDocument parameter : parameters) {
      to.setParameter(parameter.get("_id").asString(), parameter.without(NOT_OF_VALUE));
    }
  }
}
