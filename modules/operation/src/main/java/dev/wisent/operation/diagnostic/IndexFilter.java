package dev.wisent.operation.diagnostic;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/**
 * The only indexes that plans for a query shape may use.
 *
 * @param query a query of the shape; sort and projection likewise
 * @param collation of that query; null for the simple one
 * @param indexes names, or key patterns
 */
public record IndexFilter(
    RawDocument query,
    RawDocument sort,
    RawDocument projection,
    RawDocument collation,
    List<RawValue> indexes) {
  public IndexFilter {
    indexes = List.copyOf(indexes);
  }
}
