package dev.wisent.database.read;

import dev.wisent.database.collection.Catalog;
import dev.wisent.database.operation.AggregateRequest;
import dev.wisent.query.aggregate.Pipeline;
import dev.wisent.query.aggregate.Stage;
import dev.wisent.query.aggregate.optimize.Optimizer;
import java.util.List;

/**
 * A pipeline as it is run.
 *
 * @param pipeline optimized
 * @param pushed what a find does of it
 */
public record PreparedPipeline(Pipeline pipeline, PushedStages pushed) {
  public static PreparedPipeline of(AggregateRequest request, Catalog catalog) {
    Pipeline pipeline = Optimizer.optimize(GeoNearKey.resolve(request, catalog));
    return new PreparedPipeline(pipeline, PushedStages.of(pipeline));
  }

  /** The stages that a find does not do. */
  public List<Stage> stages() {
    return pipeline.stages().subList(pushed.count(), pipeline.stages().size());
  }

  /** Whether a find does all of it. */
  public boolean isFind() {
    return stages().isEmpty();
  }
}
