package dev.wisent.database.read;

import dev.wisent.database.collection.Catalog;
import dev.wisent.database.collection.Collection;
import dev.wisent.operation.AggregateRequest;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.SampleFromRandomCursorStage;
import dev.wisent.pipeline.SampleStage;
import dev.wisent.pipeline.Stage;
import java.util.ArrayList;
import java.util.List;

/** Where the documents of a {@code $sample} that stands first come from. */
final class SampleSource {
  /** MongoDB's: in a smaller collection, and for a greater part of one, it looks at all. */
  private static final long DOCUMENTS_MIN = 101;

  private static final double PART_MAX = 0.05;

  /** The numbers of those that were given are kept in memory, eight to sixteen bytes each. */
  private static final long SIZE_MAX = 1_000_000;

  private SampleSource() {}

  /** The pipeline with a sample of few documents taken from a random cursor. */
  static Pipeline resolve(Pipeline pipeline, AggregateRequest request, Catalog catalog) {
    List<Stage> stages = pipeline.stages();
    if (stages.isEmpty()
        || !(stages.getFirst() instanceof SampleStage sample)
        || request.hint() != null
        || !isSmall(sample.size(), catalog.find(request.namespace()))) {
      return pipeline;
    }
    var resolved = new ArrayList<>(stages);
    resolved.set(0, new SampleFromRandomCursorStage(sample.size(), sample.random(), false));
    return pipeline.with(resolved);
  }

  /** Record ids that are times: next to none of them is one of an entry. */
  private static boolean isSmall(long size, Collection collection) {
    return collection != null
        && !collection.isOfTheLog()
        && collection.documents() >= DOCUMENTS_MIN
        && size > 0
        && size <= collection.documents() * PART_MAX
        && size <= SIZE_MAX;
  }
}
