package dev.wisent.operation.diagnostic;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.Set;

/**
 * What commands ask about collections besides their documents: sizes, uses and soundness. All
 * answers are values.
 */
public interface Diagnostics {
  /** Fails with this message if the name is that of a view. */
  void refuseView(Namespace namespace, String message);

  /** The figures of a collection; null if there is none. Fails for a view. */
  CollectionFigures figures(Namespace namespace);

  /** The size of a collection's documents, which takes no look at files. Fails for a view. */
  DataSize dataSize(Namespace namespace);

  /** Sums over the collections of a database. */
  DatabaseFigures figures(String database);

  /** How often each index of a collection was used; empty if there is no such collection. */
  List<IndexUse> indexUses(Namespace namespace);

  /**
   * Compares the documents of a collection with its indexes and counters.
   *
   * @param definitionsOnly looks at no data
   */
  ValidationReport validate(
      OperationContext operation, Namespace namespace, boolean definitionsOnly);

  /** Gives back the space of deleted documents; returns how many bytes that were. */
  long compact(Namespace namespace);

  /**
   * Digests of the replicated collections of a database, by name. Each is of one moment, but not
   * all of the same one.
   *
   * @param names the collections that are wanted; null for all
   */
  List<CollectionDigest> digests(OperationContext operation, String database, Set<String> names);
}
