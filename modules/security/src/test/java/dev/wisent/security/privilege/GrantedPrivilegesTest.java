package dev.wisent.security.privilege;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.security.privilege.ResourcePattern.AnyResource;
import dev.wisent.security.privilege.ResourcePattern.Buckets;
import dev.wisent.security.privilege.ResourcePattern.Cluster;
import dev.wisent.security.privilege.ResourcePattern.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What patterns match: MongoDB's rules, and a naive matcher for everything between them. */
class GrantedPrivilegesTest {
  private static final List<String> DATABASES =
      List.of("shop", "forum", "admin", "config", "local");
  private static final List<String> COLLECTIONS =
      List.of(
          "orders",
          "users",
          "system.users",
          "system.js",
          "system.views",
          "system.profile",
          "system.buckets.weather",
          "system.buckets.orders",
          "replset.minvalid");
  private static final List<Action> ACTIONS = List.of(Action.FIND, Action.INSERT, Action.INPROG);

  @Test
  void allDatabasesAreNotTheServersOwn() {
    GrantedPrivileges all = granted(new Collections("", ""));
    assertThat(all.onCollection("shop", "orders", Action.FIND)).isTrue();
    assertThat(all.onCollection("admin", "orders", Action.FIND)).isTrue();
    assertThat(all.onCollection("config", "shards", Action.FIND)).isFalse();
    assertThat(all.onCollection("local", "startup_log", Action.FIND)).isFalse();
    assertThat(all.onDatabase("shop", Action.FIND)).isTrue();
    assertThat(all.onDatabase("local", Action.FIND)).isFalse();
    assertThat(all.onCluster(Action.FIND)).isFalse();
    assertThat(all.onAnyNormal(Action.FIND)).isTrue();
    assertThat(all.onCollection("shop", "orders", Action.INSERT)).isFalse();
  }

  @Test
  void systemCollectionsHaveToBeNamed() {
    GrantedPrivileges database = granted(new Collections("admin", ""));
    for (String name : List.of("system.users", "system.js", "system.views", "system.profile")) {
      assertThat(database.onCollection("admin", name, Action.FIND)).as(name).isFalse();
      assertThat(granted(new Collections("", name)).onCollection("admin", name, Action.FIND))
          .as(name)
          .isTrue();
      assertThat(granted(new Collections("admin", name)).onCollection("shop", name, Action.FIND))
          .as(name)
          .isFalse();
    }
    assertThat(granted(new AnyResource()).onCollection("admin", "system.users", Action.FIND))
        .isTrue();
  }

  @Test
  void bucketsHavePatternsOfTheirOwn() {
    GrantedPrivileges weather = granted(new Buckets("shop", "weather"));
    assertThat(weather.onCollection("shop", "system.buckets.weather", Action.FIND)).isTrue();
    assertThat(weather.onCollection("shop", "weather", Action.FIND)).isFalse();
    assertThat(weather.onCollection("shop", "system.buckets.", Action.FIND)).isFalse();
    assertThat(granted(new Buckets("", "")).onAnyBuckets(Action.FIND)).isTrue();
  }

  @Test
  void anyActionIsEveryOther() {
    GrantedPrivileges all =
        GrantedPrivileges.of(
            List.of(new Grant(new Collections("shop", ""), Set.of(Action.ANY_ACTION))));
    assertThat(Action.values())
        .allSatisfy(action -> assertThat(all.onCollection("shop", "orders", action)).isTrue());
    assertThat(all.onCluster(Action.SHUTDOWN)).isFalse();
  }

  @Test
  void whatMayBeKnownToExist() {
    GrantedPrivileges orders = granted(new Collections("shop", "orders"));
    assertThat(orders.hasAnyIn("shop")).isTrue();
    assertThat(orders.hasAnyIn("forum")).isFalse();
    assertThat(orders.hasAnyOn("shop", "orders")).isTrue();
    assertThat(orders.hasAnyOn("shop", "users")).isFalse();
    assertThat(granted(new Cluster()).hasAnyIn("shop")).isFalse();
    assertThat(granted(new Collections("", "")).hasAnyIn("local")).isFalse();
    assertThat(granted(new Collections("", "")).hasAnyIn("shop")).isTrue();
  }

  @Test
  void isWhatANaiveMatcherSays() {
    long seed = Long.getLong("wisent.seed", 17);
    var random = new Random(seed);
    for (int round = 0; round < 2_000; round++) {
      List<Grant> grants = grants(random);
      GrantedPrivileges fast = GrantedPrivileges.of(grants);
      var naive = new NaiveMatcher(grants);
      for (Action action : ACTIONS) {
        String what = "seed " + seed + " " + grants + " " + action;
        assertThat(fast.onCluster(action)).as(what).isEqualTo(naive.onCluster(action));
        for (String database : DATABASES) {
          compare(fast, naive, database, action, what);
        }
      }
    }
  }

  private static void compare(
      GrantedPrivileges fast, NaiveMatcher naive, String database, Action action, String what) {
    if (fast.onDatabase(database, action) != naive.onDatabase(database, action)) {
      throw new AssertionError(what + " on " + database);
    }
    for (String collection : COLLECTIONS) {
      boolean allowed = naive.onCollection(database, collection, action);
      if (fast.onCollection(database, collection, action) != allowed
          || (allowed && !fast.hasAnyOn(database, collection))
          || (allowed && !fast.hasAnyIn(database))) {
        throw new AssertionError(what + " on " + database + "." + collection);
      }
    }
  }

  private static List<Grant> grants(Random random) {
    var grants = new ArrayList<Grant>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      grants.add(new Grant(pattern(random), Set.of(one(ACTIONS, random))));
    }
    return grants;
  }

  private static ResourcePattern pattern(Random random) {
    String database = random.nextBoolean() ? "" : one(DATABASES, random);
    String collection = random.nextBoolean() ? "" : one(COLLECTIONS, random);
    return switch (random.nextInt(12)) {
      case 0 -> new AnyResource();
      case 1 -> new Cluster();
      case 2, 3 -> new Buckets(database, random.nextBoolean() ? "" : "weather");
      default -> new Collections(database, collection);
    };
  }

  private static <T> T one(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  private static GrantedPrivileges granted(ResourcePattern pattern) {
    return GrantedPrivileges.of(List.of(new Grant(pattern, Set.of(Action.FIND))));
  }
}
