package dev.wisent.database.session;

import dev.wisent.storage.Mutation;

/** The transaction that an operation is a statement of. Packages above know what it holds. */
public interface StatementScope {
  /** Adds changes that are committed with the transaction. */
  void add(Mutation changes);
}
