package dev.wisent.cluster.router.read;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.cluster.call.RoutedOperation;
import dev.wisent.database.view.ResolvedView;
import dev.wisent.database.view.ViewReads;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.Explainable;
import dev.wisent.operation.OperationContext;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads of names that may be those of views. The primary shard of the database knows the views; of
 * one that reads sharded collections it says what that comes down to, and the router reads that.
 */
final class RoutedViews {
  /** Makes of a read of a view one of its collection. */
  interface Resolution {
    AggregateRequest resolve(ViewReads views);
  }

  private RoutedViews() {}

  static <T> T read(
      OperationContext operation,
      Explainable request,
      Supplier<T> ofCollection,
      Function<AggregateRequest, T> ofView) {
    return read(
        operation, request, ofCollection, views -> views.resolve(request, operation), ofView);
  }

  static <T> T read(
      OperationContext operation,
      Explainable request,
      Supplier<T> ofCollection,
      Resolution resolution,
      Function<AggregateRequest, T> ofView) {
    RoutedOperation routed = RoutedOperation.of(operation);
    RawDocument known = routed == null ? null : routed.view(request.namespace());
    if (known == null) {
      try {
        return ofCollection.get();
      } catch (CommandException e) {
        known = RoutedOperation.viewOf(e);
        if (known == null) {
          throw e;
        }
      }
    }
    ResolvedView view = ResolvedView.of(known);
    return ofView.apply(
        resolution.resolve(
            new ViewReads(
                (namespace, unused) -> namespace.equals(request.namespace()) ? view : null)));
  }
}
