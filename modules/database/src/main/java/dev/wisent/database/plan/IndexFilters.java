package dev.wisent.database.plan;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.database.index.Index;
import dev.wisent.query.collation.Collation;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The index filters of a collection: for queries of a shape, the only indexes that plans may use.
 * They last until they are taken back, the collection goes, or the server stops. Thread-safe.
 */
public final class IndexFilters {
  private final ConcurrentHashMap<QueryShape, Filter> filters = new ConcurrentHashMap<>();

  /**
   * One filter.
   *
   * @param query the filter of the query that gave the shape; sort and projection likewise
   * @param collation of that query; null for the simple one
   * @param indexes names, or key patterns
   */
  public record Filter(
      QueryShape shape,
      RawDocument query,
      RawDocument sort,
      RawDocument projection,
      Collation collation,
      List<RawValue> indexes) {
    public Filter {
      indexes = List.copyOf(indexes);
    }

    public boolean allows(Index index) {
      return indexes.stream().anyMatch(allowed -> isIndex(allowed, index));
    }

    private static boolean isIndex(RawValue allowed, Index index) {
      return allowed.isString()
          ? allowed.asString().equals(index.name())
          : allowed.isDocument()
              && ValueOrder.equal(allowed.asDocument(), index.definition().key());
    }
  }

  /** Sets the filter of a shape, in place of one that was there. */
  public void set(Filter filter) {
    filters.put(filter.shape(), filter);
  }

  /** The filter for a query; null if there is none. Without any filter this costs nothing. */
  public Filter find(Supplier<QueryShape> shape) {
    return filters.isEmpty() ? null : filters.get(shape.get());
  }

  public List<Filter> all() {
    return List.copyOf(filters.values());
  }

  public void clear(QueryShape shape) {
    filters.remove(shape);
  }

  public void clear() {
    filters.clear();
  }
}
