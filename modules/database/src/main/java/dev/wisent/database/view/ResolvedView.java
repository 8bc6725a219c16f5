package dev.wisent.database.view;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.query.collation.Collation;

/**
 * What reading a view comes down to.
 *
 * @param base the collection at the bottom, which need not exist
 * @param pipeline the stages of all views on the way, as an array, the lowest first
 * @param collation that of the view; null for the simple one
 */
public record ResolvedView(Namespace base, RawDocument pipeline, Collation collation) {
  /** Finds what a name comes down to; null if it is not that of a view. */
  @FunctionalInterface
  public interface Finder {
    ResolvedView find(Namespace namespace, OperationContext operation);
  }

  /** As shards tell it to routers. */
  public RawDocument toDocument() {
    var out = new BsonBuilder();
    out.appendString("ns", base.full()).appendArray("pipeline", pipeline);
    if (collation != null) {
      out.appendDocument("collation", collation.document());
    }
    return out.toDocument();
  }

  /** From what a shard has told. */
  public static ResolvedView of(RawDocument told) {
    RawValue collation = told.get("collation");
    return new ResolvedView(
        Namespace.parse(told.get("ns").asString()),
        told.get("pipeline").asDocument(),
        collation == null ? null : Collation.parse(collation.asDocument()));
  }
}
