package dev.wisent.database.view;

import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.sharding.ShardedViewException;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/**
 * Finds what views come down to. Where a router asks and this shard has but a part of that, the
 * error tells the router what it is.
 */
public final class WholeViews implements ResolvedView.Finder {
  private final Views views;
  private final Predicate<OperationContext> routed;
  private final BiPredicate<Namespace, OperationContext> part;

  /**
   * @param routed whether a router has sent an operation
   * @param part whether this shard has but a part of a collection
   */
  public WholeViews(
      Views views,
      Predicate<OperationContext> routed,
      BiPredicate<Namespace, OperationContext> part) {
    this.views = views;
    this.routed = routed;
    this.part = part;
  }

  @Override
  public ResolvedView find(Namespace namespace, OperationContext operation) {
    ResolvedView view = views.resolve(namespace);
    if (view != null
        && routed.test(operation)
        && views.sources(view).stream().anyMatch(source -> part.test(source, operation))) {
      throw new ShardedViewException(view.toDocument());
    }
    return view;
  }
}
