package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.exec.LookupReadCounts;
import dev.wisent.database.index.Index;
import dev.wisent.database.view.LocalNamespaces;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.OpenStream;
import dev.wisent.pipeline.OtherCollection;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.collation.CollationChoice;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;

/**
 * A collection that stages of a pipeline over another one read. {@link LocalNamespaces#aggregate}
 * makes of its name what is read, so that it may be a view.
 */
final class CollectionReader implements OtherCollection {
  private final PipelineRun run;
  private final LocalNamespaces part;
  private final Namespace namespace;
  private final LookupReadCounts reads;

  /**
   * @param part where it is
   */
  CollectionReader(PipelineRun run, LocalNamespaces part, Namespace namespace) {
    this.run = run;
    this.part = part;
    this.reads = run.reads();
    this.namespace = namespace;
  }

  @Override
  public OpenStream open(Pipeline pipeline, QueryContext context) {
    OperationContext operation = run.operation();
    run.checkReadable(part, namespace);
    var request =
        new AggregateRequest(
            namespace, pipeline, null, CollationChoice.exactly(context.collation()));
    // What goes to the planner is parsed there, with the variables of the operation.
    RawDocument variables = operation.let();
    operation.let(context.let());
    try {
      return new NestedCursor(part.aggregate(operation, request), run, reads);
    } finally {
      operation.let(variables);
    }
  }

  @Override
  public boolean findsByIndex(FieldPath path, QueryContext context) {
    Collection collection = part.catalog().find(namespace);
    if (collection == null) {
      return false;
    }
    for (Index index : collection.indexes()) {
      if (finds(index, path, context.collation())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long documents() {
    Collection collection = part.catalog().find(namespace);
    return collection == null ? 0 : collection.documents();
  }

  @Override
  public long bytes() {
    Collection collection = part.catalog().find(namespace);
    return collection == null ? 0 : collection.dataBytes();
  }

  /** Also documents without the field must be in the index. */
  private static boolean finds(Index index, FieldPath path, Collation collation) {
    boolean ordered = index.kind() == Index.Kind.ORDERED || index.kind() == Index.Kind.HASHED;
    return ordered
        && index.path(0).equals(path)
        && !index.isSparse()
        && !index.isHidden()
        && index.partialFilter() == null
        && Collation.same(index.collation(), collation);
  }
}
