package dev.wisent.database.ownership;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.DatabaseVersion;
import dev.wisent.sharding.OwnedRanges;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.RequestVersions;
import dev.wisent.sharding.StaleConfigException;
import dev.wisent.sharding.StaleDatabaseException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a shard has in one state of its store.
 *
 * @param identity which shard of which cluster it is; null before it was added to one
 * @param databases those that it is the primary of
 * @param collections the sharded ones that it knows of
 * @param blocked databases and collections that may not be written for now; a database's name with
 *     a dot is for its unsharded collections
 * @param hidden those of them that may not be read by routers either
 * @param moves ranges that come or have gone, until the config servers know of it
 * @param arrivals how ranges of the sharded collections came
 */
public record ShardTables(
    RawDocument identity,
    Map<String, DatabaseVersion> databases,
    Map<Namespace, OwnedRanges> collections,
    Set<String> blocked,
    Set<String> hidden,
    Map<Namespace, List<RangeMove>> moves,
    Map<Namespace, Arrivals> arrivals) {
  static final ShardTables NONE =
      new ShardTables(null, Map.of(), Map.of(), Set.of(), Set.of(), Map.of(), Map.of());

  public ShardTables {
    databases = Map.copyOf(databases);
    collections = Map.copyOf(collections);
    blocked = Set.copyOf(blocked);
    hidden = Set.copyOf(hidden);
    moves = Map.copyOf(moves);
    arrivals = Map.copyOf(arrivals);
  }

  /** Null where the collection is not sharded, as far as this shard knows. */
  public OwnedRanges collection(Namespace namespace) {
    return collections.get(namespace);
  }

  /** Null where this shard is not the primary of the database. */
  public DatabaseVersion database(String name) {
    return databases.get(name);
  }

  public boolean isBlocked(Namespace namespace) {
    return !blocked.isEmpty() && covers(blocked, namespace);
  }

  /** Whether a coordinator lets no router read a collection for now. */
  public boolean isHidden(Namespace namespace) {
    return !hidden.isEmpty() && covers(hidden, namespace);
  }

  /** Whether a range of a collection comes here, of which the outcome is not known yet. */
  public boolean isAboutToOwn(Namespace namespace) {
    return !undecidedMoves(namespace).isEmpty();
  }

  /** The ranges of a collection that come here, of which the outcome is not known yet. */
  List<RangeMove> undecidedMoves(Namespace namespace) {
    return moves.getOrDefault(namespace, List.of()).stream()
        .filter(move -> !move.decided())
        .toList();
  }

  private List<RangeMove> decidedMoves(Namespace namespace) {
    return moves.getOrDefault(namespace, List.of()).stream().filter(RangeMove::decided).toList();
  }

  private boolean covers(Set<String> names, Namespace namespace) {
    return names.contains(namespace.full())
        || names.contains(namespace.database())
        || (names.contains(unshardedOf(namespace.database())) && collection(namespace) == null);
  }

  /** What stands for the unsharded collections of a database in a block. */
  public static String unshardedOf(String database) {
    return database + ".";
  }

  /** Whether a name of a block covers a collection. */
  boolean isCovered(Namespace namespace, String name) {
    return covers(Set.of(name), namespace);
  }

  /**
   * Compares the version of a request with this shard's. As in MongoDB minor versions do not count:
   * splits change nothing here.
   *
   * @throws StaleConfigException if they differ
   * @throws StaleDatabaseException if an unsharded collection's database has another primary shard
   */
  public void check(Namespace namespace, RequestVersions request) {
    if (namespace.isInternal()) {
      return;
    }
    ChunkVersion received = request.of(namespace);
    OwnedRanges own = collection(namespace);
    String problem;
    if (own == null) {
      if (received.isUnsharded()) {
        checkDatabase(namespace.database(), request);
        return;
      }
      problem = "sharding status of collection " + namespace + " is not currently known";
    } else if (received.isUnsharded()) {
      problem =
          "this shard contains chunks for "
              + namespace
              + ", but the client expects unsharded collection";
    } else if (!own.version().isSameCollection(received)) {
      problem = "timestamp mismatch detected for " + namespace;
    } else if (own.ranges().isEmpty() && received.major() == 0) {
      return; // For routers a shard without chunks has no version; its own tells what came last.
    } else if (own.version().major() != received.major()) {
      problem = "version mismatch detected for " + namespace;
    } else {
      return;
    }
    throw new StaleConfigException(
        problem,
        namespace,
        received,
        own == null ? null : own.version(),
        request.shard(),
        decidedMoves(namespace));
  }

  private void checkDatabase(String database, RequestVersions request) {
    DatabaseVersion received = request.databases().get(database);
    if (received != null) {
      check(database, received);
    }
  }

  /**
   * @throws StaleDatabaseException if this shard has another version of a database
   */
  public void check(String database, DatabaseVersion received) {
    DatabaseVersion own = database(database);
    if (own == null) {
      throw new StaleDatabaseException(
          "No cached info for the database " + database, database, received, null);
    }
    if (!own.equals(received)) {
      throw new StaleDatabaseException(
          "Version mismatch for the database " + database, database, received, own);
    }
  }
}
