package dev.wisent.operation;

/** By what others name the shape of a query and the plans it may have; made when asked for. */
public interface PlanIdentity {
  /** Eight hex digits of the shape of the query. */
  String shapeHash();

  /** Eight hex digits of the shape and the indexes that plans for it use. */
  String cacheKeyHash();
}
