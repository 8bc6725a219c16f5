package dev.wisent.security.privilege;

import java.util.Objects;

/** What the actions of a privilege may be done to. */
public sealed interface ResourcePattern {
  /** Every resource there is, system collections and the cluster too. */
  record AnyResource() implements ResourcePattern {}

  /** The cluster or the node as a whole. */
  record Cluster() implements ResourcePattern {}

  /**
   * Collections and databases.
   *
   * @param database empty for every database
   * @param collection empty for the database and all its collections that are not system
   *     collections
   */
  record Collections(String database, String collection) implements ResourcePattern {
    public Collections {
      Objects.requireNonNull(database);
      Objects.requireNonNull(collection);
    }
  }

  /**
   * The buckets of time series collections.
   *
   * @param database empty for every database
   * @param collection without {@code system.buckets.}; empty for all of the database
   */
  record Buckets(String database, String collection) implements ResourcePattern {
    public Buckets {
      Objects.requireNonNull(database);
      Objects.requireNonNull(collection);
    }
  }
}
