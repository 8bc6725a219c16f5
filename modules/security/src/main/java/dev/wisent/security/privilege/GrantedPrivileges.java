package dev.wisent.security.privilege;

import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;

/**
 * All that the roles of a user allow. Immutable. A look-up makes no objects, so that a check costs
 * next to nothing beside the command.
 *
 * <p>The rules are MongoDB's. A pattern without names is for all <em>normal</em> collections and
 * for databases, those of {@code local} and {@code config} excepted; one with a database for that
 * database and its normal collections. A collection whose name begins with {@code system.} is not
 * normal: only a pattern with its name allows something on it, or one for every resource. In {@code
 * local} the same is true of names that begin with {@code replset.}.
 */
public final class GrantedPrivileges {
  public static final GrantedPrivileges NONE = new GrantedPrivileges(List.of());

  private static final String SYSTEM = "system.";
  private static final String BUCKETS = "system.buckets.";
  private static final String REPLICA_SET = "replset.";

  private final List<Grant> grants;
  private final EnumSet<Action> anyResource = EnumSet.noneOf(Action.class);
  private final EnumSet<Action> cluster = EnumSet.noneOf(Action.class);
  private final GrantedCollections collections = new GrantedCollections();
  private final GrantedCollections buckets = new GrantedCollections();

  private GrantedPrivileges(Collection<Grant> grants) {
    this.grants = List.copyOf(grants);
    for (Grant grant : grants) {
      Collection<Action> actions = expanded(grant.actions());
      switch (grant.resource()) {
        case AnyResource any -> anyResource.addAll(actions);
        case Cluster one -> cluster.addAll(actions);
        case Collections pattern -> collections.add(pattern, actions);
        case Buckets pattern -> buckets.add(pattern, actions);
      }
    }
  }

  private static Collection<Action> expanded(Collection<Action> actions) {
    return actions.contains(Action.ANY_ACTION) ? EnumSet.allOf(Action.class) : actions;
  }

  public static GrantedPrivileges of(Collection<Grant> grants) {
    return new GrantedPrivileges(grants);
  }

  public List<Grant> grants() {
    return grants;
  }

  public boolean onCluster(Action action) {
    return anyResource.contains(action) || cluster.contains(action);
  }

  /** On all normal collections of all databases, and these databases. */
  public boolean onAnyNormal(Action action) {
    return anyResource.contains(action) || collections.onAll(action);
  }

  /** On the buckets of all time series collections. */
  public boolean onAnyBuckets(Action action) {
    return anyResource.contains(action) || buckets.onAll(action);
  }

  /** On the database itself. */
  public boolean onDatabase(String database, Action action) {
    return anyResource.contains(action)
        || collections.onDatabase(database, action)
        || (isNormal(database) && collections.onAll(action));
  }

  public boolean onCollection(String database, String collection, Action action) {
    if (anyResource.contains(action) || collections.onNamed(database, collection, action)) {
      return true;
    }
    if (isNormal(database, collection)) {
      return collections.onDatabase(database, action)
          || (isNormal(database) && collections.onAll(action));
    }
    if (!isBuckets(collection)) {
      return false;
    }
    String ofSeries = collection.substring(BUCKETS.length());
    return buckets.onAll(action)
        || buckets.onDatabase(database, action)
        || buckets.onNamed(database, ofSeries, action);
  }

  /** Whether anything at all may be done to a collection. */
  public boolean hasAnyOn(String database, String collection) {
    if (!anyResource.isEmpty() || collections.hasNamed(database, collection)) {
      return true;
    }
    if (isNormal(database, collection)) {
      return collections.hasDatabase(database) || (isNormal(database) && collections.hasAll());
    }
    if (!isBuckets(collection)) {
      return false;
    }
    String ofSeries = collection.substring(BUCKETS.length());
    return buckets.hasAll()
        || buckets.hasDatabase(database)
        || buckets.hasNamed(database, ofSeries);
  }

  /** Whether anything at all may be done to a database or to a collection in it. */
  public boolean hasAnyIn(String database) {
    return !anyResource.isEmpty()
        || collections.hasDatabase(database)
        || collections.hasNamedIn(database)
        || buckets.hasAll()
        || buckets.hasDatabase(database)
        || buckets.hasNamedIn(database)
        || (isNormal(database) && collections.hasAll());
  }

  private static boolean isNormal(String database) {
    return !database.equals("local") && !database.equals("config");
  }

  private static boolean isNormal(String database, String collection) {
    return !collection.startsWith(SYSTEM)
        && !(collection.startsWith(REPLICA_SET) && database.equals("local"));
  }

  private static boolean isBuckets(String collection) {
    return collection.startsWith(BUCKETS) && collection.length() > BUCKETS.length();
  }
}
