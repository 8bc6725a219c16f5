package dev.wisent.query.aggregate;

import dev.wisent.bson.RawValue;
import dev.wisent.query.match.QueryContext;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;

/** The table of stages: those that work, and those that are known and refused. */
public final class Stages {
  private static final Map<String, BiFunction<RawValue, QueryContext, Stage>> SUPPORTED =
      Map.ofEntries(
          entry("$match", MatchStage::parse),
          entry("$skip", (argument, context) -> SkipStage.parse(argument)),
          entry("$limit", (argument, context) -> LimitStage.parse(argument)),
          entry("$sort", SortStage::parse),
          entry("$project", ProjectStage::parse),
          entry("$addFields", AddFieldsStage.parser("$addFields")),
          entry("$set", AddFieldsStage.parser("$set")),
          entry("$unset", ProjectStage::parseUnset),
          entry("$replaceRoot", ReplaceRootStage::parse),
          entry("$replaceWith", ReplaceRootStage::parseWith),
          entry(GeoNearStage.NAME, (argument, context) -> GeoNearStage.parse(argument)),
          entry("$count", (argument, context) -> CountStage.parse(argument)),
          entry("$group", (argument, context) -> GroupStage.parse(argument)));

  /** Stages that stand first and make documents from something else than a collection. */
  private static final Set<String> SOURCES =
      Set.of("$currentOp", "$collStats", "$indexStats", "$listLocalSessions", "$planCacheStats");

  private static final Set<String> REFUSED =
      Set.of(
          "$bucket",
          "$bucketAuto",
          "$changeStream",
          "$changeStreamSplitLargeEvent",
          "$densify",
          "$documents",
          "$facet",
          "$fill",
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
          "$sample",
          "$setWindowFields",
          "$shardedDataDistribution",
          "$sortByCount",
          "$unionWith",
          "$unwind");

  private static final Set<String> FOR_UPDATES =
      Set.of("$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith");

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

  private static Map.Entry<String, BiFunction<RawValue, QueryContext, Stage>> entry(
      String name, BiFunction<RawValue, QueryContext, Stage> parser) {
    return Map.entry(name, parser);
  }

  /** The parser of a stage; null if the name is not that of a supported one. */
  static BiFunction<RawValue, QueryContext, Stage> parser(String name) {
    return SUPPORTED.get(name);
  }

  /** Whether there is such a stage, supported or not. */
  static boolean isKnown(String name) {
    return SUPPORTED.containsKey(name)
        || SOURCES.contains(name)
        || REFUSED.contains(name)
        || SEARCH.contains(name);
  }

  /** Whether an update may have the stage: it makes one document of one document. */
  static boolean isForUpdates(String name) {
    return FOR_UPDATES.contains(name);
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
