package dev.wisent.bench.target;

import dev.wisent.bench.measure.Meter;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Store;
import java.util.Optional;

/** A server under test. */
public interface Target extends AutoCloseable {
  String name();

  /** Returns when the server answers. The other methods may be called only after that. */
  void start() throws Exception;

  Store store();

  Meter meter();

  /** Product, version and the settings that matter. */
  String description();

  /** How this target gives the asked durability, in its own words. */
  String durabilityLabel(Durability durability);

  /** Where raw connections of MongoDB's protocol can be opened, if at all. */
  Optional<WireAddress> wireAddress();

  /** Why the target cannot go on, if its process has ended. */
  Optional<String> death();

  @Override
  void close();
}
