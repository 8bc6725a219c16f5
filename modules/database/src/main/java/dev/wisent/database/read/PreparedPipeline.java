package dev.wisent.database.read;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.collection.Catalog;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.pipeline.GeoNearStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.optimize.Optimizer;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.match.TextMatch;
import java.util.List;

/**
 * A pipeline as it is run.
 *
 * @param pipeline optimized
 * @param pushed what a find does of it
 */
public record PreparedPipeline(Pipeline pipeline, PushedStages pushed) {
  public static PreparedPipeline of(
      AggregateRequest request, Catalog catalog, OperationContext operation) {
    Pipeline optimized = Optimizer.optimize(GeoNearKey.resolve(request, catalog, operation));
    Pipeline pipeline = SampleSource.resolve(optimized, request, catalog);
    return new PreparedPipeline(pipeline, PushedStages.of(pipeline));
  }

  /** The stages that a find does not do. */
  public List<Stage> stages() {
    return pipeline.stages().subList(pushed.count(), pipeline.stages().size());
  }

  /**
   * Whether the number of documents is all that is asked of the find. One who asks for a sort may
   * not get an answer, and a text search is not for counting.
   */
  public boolean countsOnly() {
    return !isFind()
        && pushed.projection().isEmpty()
        && stages().getFirst().needsOnlyCount()
        && !(pipeline.stages().getFirst() instanceof GeoNearStage)
        && !isTextSearch();
  }

  private boolean isTextSearch() {
    MatchExpression filter = pipeline.stages().getFirst().filter();
    return filter != null && TextMatch.in(filter) != null;
  }

  /** Whether that is the number of all documents, which is known without looking. */
  public boolean countsEverything(AggregateRequest request) {
    return countsOnly() && pushed.filter().isEmpty() && request.hint() == null;
  }

  /** What the first stage that is left gives for so many documents. */
  public List<RawDocument> counted(long documents) {
    return documents == 0 ? List.of() : List.of(stages().getFirst().ofCount(documents));
  }

  /** Whether a find does all of it. */
  public boolean isFind() {
    return stages().isEmpty();
  }
}
