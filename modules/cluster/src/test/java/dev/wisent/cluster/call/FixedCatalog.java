package dev.wisent.cluster.call;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.DatabaseRouting;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.RoutingCatalog;
import dev.wisent.sharding.ShardInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A catalog that a test fills. The set of a shard has its name; its member too. */
public final class FixedCatalog implements RoutingCatalog {
  private final List<ShardInfo> shards = new ArrayList<>();
  final Map<String, DatabaseRouting> databases = new ConcurrentHashMap<>();
  final Map<Namespace, CollectionRouting> collections = new ConcurrentHashMap<>();
  final List<String> stale = new ArrayList<>();

  FixedCatalog shard(String name, String... members) {
    var seeds = List.of(members).stream().map(ScriptedNodes::host).toList();
    shards.add(new ShardInfo(name, name, seeds, false, List.of(), 0, 0));
    return this;
  }

  @Override
  public List<ShardInfo> shards() {
    return List.copyOf(shards);
  }

  @Override
  public ShardInfo shard(String name) {
    return shards.stream()
        .filter(shard -> shard.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new CommandException(ErrorCode.SHARD_NOT_FOUND, "Shard " + name + " not found"));
  }

  @Override
  public DatabaseRouting database(String name) {
    return databases.get(name);
  }

  @Override
  public CollectionRouting collection(Namespace namespace) {
    return collections.get(namespace);
  }

  @Override
  public void staleCollection(Namespace namespace, ChunkVersion wanted) {
    stale.add(namespace.full());
  }

  @Override
  public void staleDatabase(String name, DatabaseVersion wanted) {
    stale.add(name);
  }
}
