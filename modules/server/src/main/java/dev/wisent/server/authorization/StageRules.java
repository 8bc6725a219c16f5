package dev.wisent.server.authorization;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.security.UserName;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.privilege.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** What each stage needs. Every stage that there is has a rule here. */
final class StageRules {
  /** They only change or select the documents they get. */
  private static final Set<String> PLAIN =
      Set.of(
          "$addFields",
          "$bucket",
          "$bucketAuto",
          "$changeStreamSplitLargeEvent",
          "$count",
          "$densify",
          "$fill",
          "$geoNear",
          "$group",
          "$limit",
          "$match",
          "$project",
          "$redact",
          "$replaceRoot",
          "$replaceWith",
          "$sample",
          "$set",
          "$setWindowFields",
          "$skip",
          "$sort",
          "$sortByCount",
          "$unset",
          "$unwind");

  /** Known, and always refused when the pipeline is parsed. */
  private static final Set<String> REFUSED =
      Set.of(
          "$listSearchIndexes",
          "$operationMetrics",
          "$queryStats",
          "$rankFusion",
          "$search",
          "$searchBeta",
          "$searchMeta",
          "$vectorSearch");

  /** With it begin the names of stages that only other nodes write. */
  private static final String INTERNAL_PREFIX = "$_";

  private static final StageRule INTERNAL =
      StageRule.of(use -> use.principal().onCluster(Action.INTERNAL));

  private static final Map<String, StageRule> RULES = rules();

  private StageRules() {}

  private static Map<String, StageRule> rules() {
    var rules = new HashMap<String, StageRule>();
    PLAIN.forEach(name -> rules.put(name, StageRule.PLAIN));
    REFUSED.forEach(name -> rules.put(name, StageRule.PLAIN));
    rules.put("$documents", StageRule.source(use -> true));
    rules.put("$facet", StageRule.of(StageRules::facet));
    rules.put("$lookup", StageRule.of(use -> join(use, "from")));
    rules.put("$graphLookup", StageRule.of(use -> join(use, "from")));
    rules.put("$unionWith", StageRule.of(StageRules::union));
    rules.put("$out", StageRule.of(OutputStages::out));
    rules.put("$merge", StageRule.of(OutputStages::merge));
    rules.put("$changeStream", StageRule.source(StageRules::changeStream));
    rules.put("$collStats", StageRule.source(use -> use.mayOnOwn(Action.COLL_STATS)));
    rules.put("$indexStats", StageRule.source(use -> use.mayOnOwn(Action.INDEX_STATS)));
    rules.put("$planCacheStats", StageRule.source(use -> use.mayOnOwn(Action.PLAN_CACHE_READ)));
    rules.put("$listCatalog", StageRule.source(StageRules::listCatalog));
    rules.put("$listClusterCatalog", StageRule.source(StageRules::listClusterCatalog));
    rules.put("$currentOp", StageRule.source(StageRules::currentOp));
    rules.put("$listSessions", StageRule.source(StageRules::sessions));
    rules.put("$listLocalSessions", StageRule.source(StageRules::sessions));
    rules.put("$listSampledQueries", onCluster(Action.LIST_SAMPLED_QUERIES));
    rules.put("$querySettings", onCluster(Action.QUERY_SETTINGS));
    rules.put("$shardedDataDistribution", onCluster(Action.SHARDED_DATA_DISTRIBUTION));
    return Map.copyOf(rules);
  }

  private static StageRule onCluster(Action action) {
    return StageRule.source(use -> use.principal().onCluster(action));
  }

  /** The rule of a stage; what is no stage is refused when the pipeline is parsed. */
  static StageRule of(String name) {
    StageRule rule = RULES.get(name);
    if (rule != null) {
      return rule;
    }
    return name.startsWith(INTERNAL_PREFIX) ? INTERNAL : StageRule.PLAIN;
  }

  static boolean contains(String name) {
    return RULES.containsKey(name);
  }

  private static boolean facet(StageUse use) {
    ElementCursor branches = use.options().elements();
    while (branches.next()) {
      if (!branchMayRun(branches.value(), use)) {
        return false;
      }
    }
    return true;
  }

  /** A branch reads what the stage gets: only what its stages need counts. */
  private static boolean branchMayRun(RawValue branch, StageUse use) {
    for (RawValue stage : Arguments.values(branch)) {
      ElementCursor fields = stage.isDocument() ? stage.elements() : null;
      if (fields != null
          && fields.next()
          && !of(fields.name()).allows().test(use.with(fields.value()))) {
        return false;
      }
    }
    return true;
  }

  /** A stage with another collection, and perhaps a pipeline that runs over it. */
  private static boolean join(StageUse use, String field) {
    RawValue from = Arguments.field(use.options(), field);
    RawValue pipeline = Arguments.field(use.options(), "pipeline");
    String database = use.database();
    String collection = Arguments.text(from);
    if (from != null && from.isDocument()) {
      String named = Arguments.text(from.asDocument(), "db");
      database = named == null ? database : named;
      collection = Arguments.text(from.asDocument(), "coll");
    }
    return joined(use, database, collection, pipeline);
  }

  private static boolean joined(
      StageUse use, String database, String collection, RawValue pipeline) {
    String over = collection == null ? PipelineAccess.WHOLE_DATABASE : collection;
    if (pipeline == null) {
      return use.principal().onCollection(database, over, Action.FIND);
    }
    return use.allows(pipeline, database, over);
  }

  private static boolean union(StageUse use) {
    return use.argument().isString()
        ? joined(use, use.database(), use.argument().asString(), null)
        : join(use, "coll");
  }

  private static boolean changeStream(StageUse use) {
    Principal principal = use.principal();
    if (Arguments.isTrue(use.options(), "allChangesForCluster")) {
      return principal.onAnyNormal(Action.FIND) && principal.onAnyNormal(Action.CHANGE_STREAM);
    }
    if (use.isOnDatabase()) {
      return principal.onDatabase(use.database(), Action.FIND)
          && principal.onDatabase(use.database(), Action.CHANGE_STREAM);
    }
    return use.mayOnOwn(Action.FIND) && use.mayOnOwn(Action.CHANGE_STREAM);
  }

  private static boolean listCatalog(StageUse use) {
    Principal principal = use.principal();
    if (!use.isOnDatabase()) {
      return use.mayOnOwn(Action.LIST_COLLECTIONS) && use.mayOnOwn(Action.LIST_INDEXES);
    }
    return principal.onCluster(Action.LIST_DATABASES)
        && principal.onAnyNormal(Action.LIST_COLLECTIONS)
        && principal.onAnyNormal(Action.LIST_INDEXES)
        && principal.onAnyBuckets(Action.LIST_COLLECTIONS)
        && principal.onAnyBuckets(Action.LIST_INDEXES);
  }

  private static boolean listClusterCatalog(StageUse use) {
    Principal principal = use.principal();
    return use.database().equals("admin")
        ? principal.onCluster(Action.LIST_DATABASES)
            && principal.onAnyNormal(Action.LIST_COLLECTIONS)
        : principal.onDatabase(use.database(), Action.LIST_COLLECTIONS);
  }

  /** Without {@code allUsers} the stage shows a user's own operations only. */
  private static boolean currentOp(StageUse use) {
    return use.principal().onCluster(Action.INPROG) || !Arguments.isTrue(use.options(), "allUsers");
  }

  /** The same of sessions, which may also be asked for by user. */
  private static boolean sessions(StageUse use) {
    if (use.principal().onCluster(Action.LIST_SESSIONS)) {
      return true;
    }
    RawDocument options = use.options();
    if (Arguments.isTrue(options, "allUsers")) {
      return false;
    }
    for (RawValue user : Arguments.values(Arguments.field(options, "users"))) {
      if (!user.isDocument()) {
        return false;
      }
      String name = Arguments.text(user.asDocument(), "user");
      String database = Arguments.text(user.asDocument(), "db");
      if (name == null || database == null || !use.principal().is(new UserName(name, database))) {
        return false;
      }
    }
    return true;
  }
}
