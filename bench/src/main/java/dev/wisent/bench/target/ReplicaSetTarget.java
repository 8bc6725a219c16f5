package dev.wisent.bench.target;

import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.MongoStore;
import dev.wisent.bench.store.Store;
import java.util.Optional;

/** A replica set on this machine; its costs are those of all members together. */
final class ReplicaSetTarget implements Target {
  private final String name;
  private final LocalReplicaSet set;
  private MongoStore store;

  ReplicaSetTarget(String name, LocalReplicaSet set) {
    this.name = name;
    this.set = set;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void start() throws Exception {
    set.start();
    store = new MongoStore(set.uri());
  }

  @Override
  public Store store() {
    return store;
  }

  @Override
  public Meter meter() {
    return new Meter(set.processes(), Optional.of(set.directory()));
  }

  @Override
  public String description() {
    return "Wisent (reports version %s), a replica set of %d members on this machine"
        .formatted(store.version(), set.size());
  }

  @Override
  public String durabilityLabel(Durability durability) {
    return DurabilityLabels.mongo(durability);
  }

  @Override
  public Optional<WireAddress> wireAddress() {
    return Optional.of(WireAddress.open(set.firstAddress()));
  }

  @Override
  public Optional<String> death() {
    return set.death();
  }

  @Override
  public void close() {
    if (store != null) {
      store.close();
    }
    set.close();
  }
}
