package dev.wisent.pipeline.optimize;

import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.join.FacetStage;
import dev.wisent.pipeline.join.FacetStage.Facet;
import java.util.List;

/** The pipelines of a {@code $facet} are optimized by themselves. */
final class OptimizeFacets implements Rule {
  @Override
  public boolean apply(List<Stage> stages, int at) {
    FacetStage facet = Rule.stage(stages, at, FacetStage.class);
    if (facet == null) {
      return false;
    }
    List<Facet> optimized =
        facet.facets().stream()
            .map(each -> new Facet(each.name(), Optimizer.optimize(each.pipeline())))
            .toList();
    if (optimized.equals(facet.facets())) {
      return false;
    }
    stages.set(at, new FacetStage(optimized));
    return true;
  }
}
