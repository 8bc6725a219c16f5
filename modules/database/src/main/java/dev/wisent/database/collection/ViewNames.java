package dev.wisent.database.collection;

import dev.wisent.operation.Namespace;

/** Names that are not free though no collection has them: those of views. Thread-safe. */
public interface ViewNames {
  /** Whether there is a view of this name. */
  boolean contains(Namespace namespace);

  /** Fails if there is a view of this name: only a collection can do what is asked for. */
  void refuse(Namespace namespace);
}
