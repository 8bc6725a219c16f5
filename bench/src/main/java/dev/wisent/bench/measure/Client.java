package dev.wisent.bench.measure;

/** One client of a workload, driven by one thread. */
public interface Client {
  /** Performs one operation and returns how many units it did (1, or the documents of a batch). */
  int operate() throws Exception;
}
