package dev.wisent.storage;

/** Something made of native memory that must be freed before the database is closed. */
abstract class NativeResource {
  /** Frees it. Called at most once, with the engine's guard entered or drained. */
  abstract void free();
}
