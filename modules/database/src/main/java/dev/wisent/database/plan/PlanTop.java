package dev.wisent.database.plan;

import dev.wisent.database.plan.PlanNode.Project;

/**
 * The steps between the documents that are found and what is sent: sort, skip, limit, projection.
 */
record PlanTop(Query query) {
  static PlanTop of(Query query) {
    return new PlanTop(query);
  }

  /** Over documents in no particular order. */
  PlanNode over(PlanNode documents) {
    return query.sort() == null
        ? overSorted(documents, Project.Kind.PROJECTION_DEFAULT)
        : overSorted(
            new PlanNode.Sort(documents, query.sort(), query.sortLimit()),
            Project.Kind.PROJECTION_DEFAULT);
  }

  private PlanNode overSorted(PlanNode rows, Project.Kind kind) {
    if (!(query.purpose() instanceof Query.Purpose.Find)) {
      return rows;
    }
    PlanNode node = rows;
    if (query.skip() > 0) {
      node = new PlanNode.Skip(node, query.skip());
    }
    if (query.limit() > 0) {
      node = new PlanNode.Limit(node, query.limit());
    }
    if (query.returnKey()) {
      return new PlanNode.ReturnKey(node);
    }
    return query.projection() == null ? node : new Project(node, query.projection(), kind);
  }
}
