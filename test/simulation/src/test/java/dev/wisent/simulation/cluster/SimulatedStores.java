package dev.wisent.simulation.cluster;

import dev.wisent.simulation.machine.Hooks;
import dev.wisent.storage.StorageEngine;
import dev.wisent.storage.StorageOptions;

/** Remembers the stores of each process: when it dies, the JVM still has them open. */
public final class SimulatedStores {
  private SimulatedStores() {}

  /** In place of {@link StorageEngine#open}. */
  public static StorageEngine open(StorageOptions options) {
    StorageEngine engine = StorageEngine.open(options.withWriteBufferBytes(1 << 20));
    Hooks.host().owns(engine);
    return engine;
  }
}
