package dev.wisent.pipeline;

import dev.wisent.pipeline.changestream.ChangeStreamStages;
import dev.wisent.pipeline.group.GroupStages;
import dev.wisent.pipeline.join.JoinStages;
import dev.wisent.pipeline.window.WindowStages;
import dev.wisent.pipeline.write.WriteStages;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of stages: those that work, put together from those of the families, and those that are
 * known and refused. Those that begin a pipeline are {@link SourceStages}.
 */
public final class Stages {
  private static final List<StageRow> ROWS =
      Stream.of(
              BasicStages.ROWS,
              ChangeStreamStages.ROWS,
              GroupStages.ROWS,
              JoinStages.ROWS,
              WindowStages.ROWS,
              WriteStages.ROWS)
          .flatMap(List::stream)
          .toList();

  private static final Map<String, StageRow> BY_NAME =
      ROWS.stream().collect(Collectors.toUnmodifiableMap(StageRow::name, Function.identity()));

  private static final Map<String, StageRow> INTERNAL =
      WindowStages.INTERNAL.stream()
          .collect(Collectors.toUnmodifiableMap(StageRow::name, Function.identity()));

  private static final Set<String> REFUSED = Set.of("$operationMetrics", "$queryStats");

  /** Stages that need a search server beside the database. */
  private static final Set<String> SEARCH =
      Set.of(
          "$listSearchIndexes",
          "$rankFusion",
          "$search",
          "$searchBeta",
          "$searchMeta",
          "$vectorSearch");

  private Stages() {}

  /** The row of a stage; null if the name is not that of a supported one. */
  static StageRow row(String name) {
    return BY_NAME.get(name);
  }

  /** The row of a stage that only routers write; null if the name is not that of one. */
  static StageRow internalRow(String name) {
    return INTERNAL.get(name);
  }

  /** Whether there is such a stage, supported or not. */
  static boolean isKnown(String name) {
    return BY_NAME.containsKey(name)
        || SourceStages.contains(name)
        || REFUSED.contains(name)
        || SEARCH.contains(name);
  }

  /** The names of all stages that clients may know, supported or not. */
  public static Set<String> names() {
    var names = new TreeSet<>(BY_NAME.keySet());
    names.addAll(SourceStages.names());
    names.addAll(REFUSED);
    names.addAll(SEARCH);
    return names;
  }

  /** Whether a stage may be in a pipeline that another stage runs over other documents. */
  public static boolean mayBeInOthers(String name) {
    return row(name) == null
        || (!row(name).is(StageTrait.LAST) && !row(name).is(StageTrait.NOT_NESTED));
  }

  /** Whether a stage may be in a pipeline over the documents of a {@code $facet}. */
  public static boolean mayBeInFacet(String name) {
    return !SourceStages.contains(name)
        && (row(name) == null || !row(name).is(StageTrait.NOT_IN_FACET));
  }

  static boolean isRefused(String name) {
    return REFUSED.contains(name);
  }

  static boolean isSearch(String name) {
    return SEARCH.contains(name);
  }
}
