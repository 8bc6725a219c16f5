package dev.wisent.conformance.driver;

import java.util.ArrayList;
import java.util.List;
import org.bson.Document;

/**
 * Where explain and validate tell what: a node at the top of its reply, a router below the shards,
 * whose plans leave out what they do not own in a stage of its own.
 */
final class Plans {
  private static final String SHARDS = "shards";

  private Plans() {}

  /** What the planner of the node tells, or that of the first shard. */
  static Document planner(Document explained) {
    Document planner = explained.get("queryPlanner", Document.class);
    Document winner = planner.get("winningPlan", Document.class);
    return winner.containsKey(SHARDS) ? winner.getList(SHARDS, Document.class).getFirst() : planner;
  }

  /** The plan that is carried out. */
  static Document winner(Document explained) {
    return ofOwned(planner(explained).get("winningPlan", Document.class));
  }

  /** The plans that are not. */
  static List<Document> rejected(Document explained) {
    return planner(explained).getList("rejectedPlans", Document.class).stream()
        .map(Plans::ofOwned)
        .toList();
  }

  /** The stages of a plan from the last one to the first. */
  static List<String> stages(Document plan) {
    var stages = new ArrayList<String>();
    for (Document stage = plan; stage != null; stage = stage.get("inputStage", Document.class)) {
      stages.add(stage.getString("stage"));
    }
    return stages;
  }

  /** The first stage of a plan. */
  static Document scan(Document plan) {
    Document stage = plan;
    while (stage.containsKey("inputStage")) {
      stage = stage.get("inputStage", Document.class);
    }
    return stage;
  }

  /** What was measured while the plan ran: of the node, or of each shard. */
  static List<Document> runs(Document explained) {
    Document stats = explained.get("executionStats", Document.class);
    Document stages = stats.get("executionStages", Document.class);
    return stages.containsKey(SHARDS) ? stages.getList(SHARDS, Document.class) : List.of(stats);
  }

  /** The stages of the node with what they did, or those of the first shard. */
  static Document executed(Document explained) {
    return ofOwned(runs(explained).getFirst().get("executionStages", Document.class));
  }

  /** The plans that were tried: by the node, or by the first shard. */
  static List<Document> tried(Document explained) {
    List<Document> plans =
        explained
            .get("executionStats", Document.class)
            .getList("allPlansExecution", Document.class);
    return !plans.isEmpty() && plans.getFirst().containsKey("allPlans")
        ? plans.getFirst().getList("allPlans", Document.class)
        : plans;
  }

  /** What a pipeline does on the node, or on the first shard. */
  static List<Document> pipeline(Document explained) {
    Document shards = explained.get(SHARDS, Document.class);
    Document one = shards == null ? explained : (Document) shards.values().iterator().next();
    return one.getList("stages", Document.class);
  }

  /** The keys of an index, on the node or on all shards, as the command has counted them. */
  static long keys(Document validated, String index) {
    List<Document> reports =
        validated.containsKey("keysPerIndex")
            ? List.of(validated)
            : validated.get("raw", Document.class).values().stream()
                .map(Document.class::cast)
                .toList();
    return reports.stream()
        .mapToLong(each -> each.get("keysPerIndex", Document.class).getLong(index))
        .sum();
  }

  /** A plan without the stage that leaves out what a shard does not own. */
  private static Document ofOwned(Document stage) {
    Document input = stage.get("inputStage", Document.class);
    if ("SHARDING_FILTER".equals(stage.getString("stage"))) {
      var filtered = new Document();
      if (stage.containsKey("isCached")) {
        filtered.put("isCached", stage.get("isCached"));
      }
      filtered.putAll(ofOwned(input));
      return filtered;
    }
    var plain = new Document(stage);
    if (input != null) {
      plain.put("inputStage", ofOwned(input));
    }
    if (stage.containsKey("inputStages")) {
      plain.put(
          "inputStages",
          stage.getList("inputStages", Document.class).stream().map(Plans::ofOwned).toList());
    }
    return plain;
  }
}
