package dev.wisent.base;

/** Room on disk for what an operation cannot hold in memory. Thread-safe. */
@FunctionalInterface
public interface ScratchSpace {
  /** A new, empty file. */
  ScratchFile create();
}
