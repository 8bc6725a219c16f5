package dev.wisent.cluster.config;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.config.metadata.ShardPrimaries;
import dev.wisent.operation.OperationContext;
import dev.wisent.replication.ReplicaSet;
import dev.wisent.sharding.ConnectionString;
import dev.wisent.wire.HostAndPort;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The config servers' own set as a shard. It is called as any other shard is, also while {@code
 * config.shards} does not have it.
 */
final class ConfigShard {
  static final String NAME = "config";

  /** What each node has for itself. */
  static final Set<String> OWN_DATABASES = Set.of("admin", "local", "config");

  private final ReplicaSet set;
  private final ShardPrimaries primaries;

  ConfigShard(ReplicaSet set, ShardPrimaries primaries) {
    this.set = set;
    this.primaries = primaries;
  }

  /** With all members that have data. */
  String connectionString() {
    List<HostAndPort> hosts =
        set.config().orElseThrow().members().stream()
            .filter(member -> !member.arbiter())
            .map(member -> HostAndPort.parse(member.host()))
            .toList();
    return ConnectionString.of(set.name(), hosts);
  }

  RawDocument run(OperationContext operation, Consumer<BsonBuilder> command) {
    var out = new BsonBuilder();
    command.accept(out);
    return primaries.run(
        operation, primaries.monitor(connectionString()), "admin", out.toDocument());
  }

  /** Runs a command that writes, and returns when a majority has it. */
  void write(OperationContext operation, Consumer<BsonBuilder> command) {
    run(
        operation,
        out -> {
          command.accept(out);
          out.startDocument("writeConcern").appendString("w", "majority").end();
        });
  }
}
