package dev.wisent.security.privilege;

import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.List;
import java.util.function.Predicate;

/** The rules of patterns as the manual words them, one grant after the other. */
record NaiveMatcher(List<Grant> grants) {
  boolean onCluster(Action action) {
    return any(action, pattern -> pattern instanceof AnyResource || pattern instanceof Cluster);
  }

  boolean onDatabase(String database, Action action) {
    return any(
        action,
        pattern ->
            pattern instanceof AnyResource
                || pattern.equals(new Collections(database, ""))
                || (pattern.equals(new Collections("", "")) && !isOfServer(database)));
  }

  boolean onCollection(String database, String collection, Action action) {
    return any(action, pattern -> matches(pattern, database, collection));
  }

  private static boolean matches(ResourcePattern pattern, String database, String collection) {
    return switch (pattern) {
      case AnyResource all -> true;
      case Cluster cluster -> false;
      case Buckets buckets ->
          collection.startsWith("system.buckets.")
              && (buckets.database().isEmpty() || buckets.database().equals(database))
              && (buckets.collection().isEmpty()
                  || collection.equals("system.buckets." + buckets.collection()));
      case Collections of -> matches(of, database, collection);
    };
  }

  private static boolean matches(Collections pattern, String database, String collection) {
    boolean named = pattern.collection().equals(collection);
    boolean system =
        collection.startsWith("system.")
            || (database.equals("local") && collection.startsWith("replset."));
    if (!pattern.database().isEmpty()) {
      return pattern.database().equals(database)
          && (named || (pattern.collection().isEmpty() && !system));
    }
    return named || (pattern.collection().isEmpty() && !system && !isOfServer(database));
  }

  private static boolean isOfServer(String database) {
    return database.equals("local") || database.equals("config");
  }

  private boolean any(Action action, Predicate<ResourcePattern> matches) {
    return grants.stream()
        .anyMatch(grant -> grant.actions().contains(action) && matches.test(grant.resource()));
  }
}
