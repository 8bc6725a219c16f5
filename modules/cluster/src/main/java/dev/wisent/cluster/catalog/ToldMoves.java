package dev.wisent.cluster.catalog;

import dev.wisent.operation.Namespace;
import dev.wisent.sharding.ChunkVersion;
import dev.wisent.sharding.CollectionRouting;
import dev.wisent.sharding.RangeMove;
import dev.wisent.sharding.RoutingTable;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ranges that shards have told to have moved, as long as the config servers have not.
 * Thread-safe.
 *
 * <p>They are applied to what the config servers have told, each time anew. What results is never
 * the base of an incremental read: chunks that the config servers still have where they were would
 * take the place of newer ones, and leave a table that is new as a whole and old for one shard.
 */
final class ToldMoves {
  /** One is ahead of the config servers; the others are those that this router has yet to read. */
  private static final int MOVES_MAX = 64;

  /** By major version. */
  private final Map<Namespace, TreeMap<Integer, RangeMove>> moves = new ConcurrentHashMap<>();

  void add(Namespace namespace, RangeMove move) {
    moves.compute(
        namespace,
        (name, known) -> {
          var all = known == null ? new TreeMap<Integer, RangeMove>() : new TreeMap<>(known);
          all.put(move.version().major(), move);
          if (all.size() > MOVES_MAX) {
            all.pollFirstEntry();
          }
          return all;
        });
  }

  /**
   * What is known of a collection.
   *
   * @param read as the config servers have told it; null where it is not sharded
   */
  KnownCollection after(Namespace namespace, CollectionRouting read) {
    if (read == null) {
      moves.remove(namespace);
      return null;
    }
    ChunkVersion version = read.table().version();
    TreeMap<Integer, RangeMove> newer =
        moves.computeIfPresent(namespace, (name, known) -> newerThan(version, known));
    RoutingTable table = read.table();
    if (newer != null) {
      for (RangeMove move : newer.values()) {
        RoutingTable moved = table.after(move);
        table = moved == null ? table : moved;
      }
    }
    return new KnownCollection(read, table == read.table() ? read : read.with(table));
  }

  /** Null for none. */
  private static TreeMap<Integer, RangeMove> newerThan(
      ChunkVersion version, TreeMap<Integer, RangeMove> known) {
    var newer = new TreeMap<>(known.tailMap(version.major(), false));
    newer.values().removeIf(move -> !move.version().isSameCollection(version));
    return newer.isEmpty() ? null : newer;
  }
}
