package dev.wisent.database.ownership;

import dev.wisent.database.collection.Collection;

/** A transaction that changes tables, and with them how many documents are not owned. */
public interface RecountScope {
  /** Changes with its commit how many documents of a collection are not owned. */
  void recount(Collection collection, long more);

  /** Has its commit tell change streams of what it does, by a small entry that changes nothing. */
  void note(byte[] entry);
}
