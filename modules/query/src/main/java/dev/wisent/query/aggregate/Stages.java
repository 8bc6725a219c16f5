package dev.wisent.query.aggregate;

import dev.wisent.bson.RawValue;
import dev.wisent.query.match.QueryContext;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The table of stages: those that work, and those that are known and refused. */
public final class Stages {
  private static final Map<String, BiFunction<RawValue, QueryContext, Stage>> SUPPORTED =
      Map.of(
          "$match",
          MatchStage::parse,
          "$skip",
          (argument, context) -> SkipStage.parse(argument),
          "$limit",
          (argument, context) -> LimitStage.parse(argument),
          "$sort",
          SortStage::parse,
          "$project",
          ProjectStage::parse,
          "$unset",
          ProjectStage::parseUnset,
          "$count",
          (argument, context) -> CountStage.parse(argument),
          "$group",
          (argument, context) -> GroupStage.parse(argument));

  /** Stages that stand first and make documents from something else than a collection. */
  private static final Set<String> SOURCES =
      Set.of("$currentOp", "$collStats", "$indexStats", "$listLocalSessions", "$planCacheStats");

  private static final Set<String> REFUSED =
      Set.of(
          "$addFields",
          "$bucket",
          "$bucketAuto",
          "$changeStream",
          "$changeStreamSplitLargeEvent",
          "$densify",
          "$documents",
          "$facet",
          "$fill",
          "$geoNear",
          "$graphLookup",
          "$listCatalog",
          "$listClusterCatalog",
          "$listSampledQueries",
          "$listSessions",
          "$lookup",
          "$merge",
          "$operationMetrics",
          "$out",
          "$querySettings",
          "$queryStats",
          "$redact",
          "$replaceRoot",
          "$replaceWith",
          "$sample",
          "$set",
          "$setWindowFields",
          "$shardedDataDistribution",
          "$sortByCount",
          "$unionWith",
          "$unwind");

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

  /** The parser of a stage; null if the name is not that of a supported one. */
  static BiFunction<RawValue, QueryContext, Stage> parser(String name) {
    return SUPPORTED.get(name);
  }

  static boolean isSource(String name) {
    return SOURCES.contains(name);
  }

  static boolean isRefused(String name) {
    return REFUSED.contains(name);
  }

  static boolean isSearch(String name) {
    return SEARCH.contains(name);
  }
}
