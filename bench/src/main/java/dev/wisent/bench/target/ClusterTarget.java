package dev.wisent.bench.target;

import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.process.ProcessTree;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.MongoStore;
import dev.wisent.bench.store.Store;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A router with its shards on this machine. Its costs are those of all processes together; what the
 * router and the shards have of the CPU is told beside it.
 */
final class ClusterTarget implements Target {
  private final String name;
  private final LocalCluster cluster;
  private MongoStore store;

  ClusterTarget(String name, LocalCluster cluster) {
    this.name = name;
    this.cluster = cluster;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() throws Exception {
    cluster.start();
    store = MongoStore.sharded(cluster.uri());
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Meter meter() {
    if (!ProcessTree.supported()) {
      return new Meter(Optional.empty(), Optional.of(cluster.directory()));
    }
    Map<String, ProcessTree> parts = new LinkedHashMap<>();
    parts.put("router", new ProcessTree(List.of(cluster.routerPid())));
    parts.put("shards", new ProcessTree(cluster.shardPids()));
    return new Meter(
        Optional.of(new ProcessTree(cluster.allPids())), Optional.of(cluster.directory()), parts);
  }

  @Override
  public String description() {
    return "Wisent (reports version %s), a router on %d shards of one member, on this machine"
        .formatted(store.version(), cluster.shardCount());
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return DurabilityLabels.mongo(durability);
  }

  @Override
  public Optional<WireAddress> wireAddress() {
    return Optional.of(WireAddress.open(cluster.routerAddress()));
  }

  @Override
  public Optional<String> death() {
    return cluster.death();
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    cluster.close();
  }
}
