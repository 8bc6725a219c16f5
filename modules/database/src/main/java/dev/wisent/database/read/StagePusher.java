package dev.wisent.database.read;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.planner.QueryMetadata;
import dev.wisent.operation.PipelineDependencies;
import dev.wisent.pipeline.GeoNearStage;
import dev.wisent.pipeline.LimitStage;
import dev.wisent.pipeline.MatchStage;
import dev.wisent.pipeline.Pipeline;
import dev.wisent.pipeline.ProjectStage;
import dev.wisent.pipeline.SampleFromRandomCursorStage;
import dev.wisent.pipeline.SkipStage;
import dev.wisent.pipeline.SortStage;
import dev.wisent.pipeline.Stage;
import dev.wisent.pipeline.group.GroupStage;
import dev.wisent.pipeline.optimize.NeededFields;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.metadata.MetaType;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Takes from the front of a pipeline what a find can do. */
final class StagePusher {
  private static final String ID = "_id";

  private final Pipeline pipeline;
  private final List<Stage> stages;
  private int next;
  private RawDocument filter = RawDocument.EMPTY;
  private MatchExpression parsedFilter;
  private RawDocument sort = RawDocument.EMPTY;
  private long skip;
  private long limit;
  private RawDocument projection = RawDocument.EMPTY;
  private PipelineDependencies needs = PipelineDependencies.NONE;

  StagePusher(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.stages = pipeline.stages();
  }

  PushedStages push() {
    if (!stages.isEmpty() && stages.getFirst() instanceof GeoNearStage near) {
      filter = near.findFilter();
    } else {
      takeStages();
    }
    Set<MetaType> asked = pipeline.askedMetadata(next);
    checkMetadata(asked);
    Set<MetaType> metadata = asked.isEmpty() ? asked : givenByFind();
    if (metadata.isEmpty()) {
      takeProjection();
    } else {
      needs = new PipelineDependencies(RawDocument.EMPTY, null, sample(), metadata);
    }
    return new PushedStages(next, filter, parsedFilter, sort, skip, limit, projection, needs);
  }

  private void checkMetadata(Set<MetaType> asked) {
    if (asked.isEmpty()) {
      return;
    }
    QueryMetadata.check(stages, asked);
    if (peek() instanceof ProjectStage stage) {
      boolean near = stages.getFirst() instanceof GeoNearStage;
      // MongoDB has the find do such a projection, and complains as for one.
      QueryMetadata.checkSorted(stage.projection(), near || !sort.isEmpty());
    }
  }

  /** Not what a later stage, or none, puts on documents. */
  private Set<MetaType> givenByFind() {
    return pipeline.metadata(next).stream()
        .filter(MetaType::isGivenByFind)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(MetaType.class)));
  }

  private void takeStages() {
    if (peek() instanceof MatchStage match) {
      filter = match.source();
      parsedFilter = match.filter();
      next++;
    }
    if (peek() instanceof SortStage stage) {
      sort = stage.source();
      limit = stage.limit();
      next++;
    }
    if (limit == 0 && peek() instanceof LimitStage stage) {
      limit = stage.count();
      next++;
    }
    // Here the limit comes first, in a find the skip does; of what is not left none can be skipped.
    if (peek() instanceof SkipStage stage && (limit == 0 || stage.count() < limit)) {
      skip = stage.count();
      limit = limit == 0 ? 0 : limit - skip;
      next++;
    }
  }

  private Stage peek() {
    return next < stages.size() ? stages.get(next) : null;
  }

  private void takeProjection() {
    if (peek() instanceof ProjectStage stage && stage.projection().isPlainInclusion()) {
      projection = stage.projection().source();
      next++;
      return;
    }
    Set<String> fields = NeededFields.of(stages.subList(next, stages.size()));
    RawDocument inclusion =
        fields == null || fields.isEmpty() ? RawDocument.EMPTY : inclusion(fields);
    needs = new PipelineDependencies(inclusion, grouped(), sample(), Set.of());
  }

  private static RawDocument inclusion(Set<String> fields) {
    var out = new BsonBuilder();
    fields.forEach(field -> out.appendInt32(field, 1));
    boolean withId = fields.stream().anyMatch(field -> field.equals(ID) || isBelowId(field));
    return (withId ? out : out.appendInt32(ID, 0)).toDocument();
  }

  private static boolean isBelowId(String field) {
    return field.startsWith(ID + ".");
  }

  private PipelineDependencies.Sample sample() {
    return peek() instanceof SampleFromRandomCursorStage stage
        ? new PipelineDependencies.Sample(stage.size(), stage.random())
        : null;
  }

  private PipelineDependencies.Grouped grouped() {
    GroupStage.OneOfEach one = peek() instanceof GroupStage group ? group.oneOfEach() : null;
    return one == null || skip > 0 || limit > 0
        ? null
        : new PipelineDependencies.Grouped(one.by(), one.last());
  }
}
