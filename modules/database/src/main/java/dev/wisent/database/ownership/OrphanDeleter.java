package dev.wisent.database.ownership;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** Deletes documents that this node has as a shard and does not own. Thread-safe. */
public interface OrphanDeleter {
  /**
   * What may be deleted.
   *
   * @param collection its UUID: one that has taken its name is left alone
   * @param records candidates
   * @param which those of them that are to be deleted if they are not owned
   */
  record Candidates(
      Namespace namespace, UUID collection, List<Long> records, Predicate<RawDocument> which) {}

  /** How much was deleted. */
  record Deleted(long documents, long bytes) {}

  /**
   * Deletes those of the candidates that are not owned, by the tables of the moment in which each
   * of them is deleted (rule H2).
   *
   * @return null where the collection is gone
   */
  Deleted delete(Candidates candidates, OperationContext operation);
}
