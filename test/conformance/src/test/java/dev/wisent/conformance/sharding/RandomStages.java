package dev.wisent.conformance.sharding;

import java.util.random.RandomGenerator;

/**
 * Random stages that gather documents or look at neighbours, as JSON. What they make does not
 * depend on the order in which documents come: what needs an order has one that leaves no choice.
 */
final class RandomStages {
  private static final String[] NUMBERS = {"$s", "$t", "$n.q"};
  private static final String[] KEYS = {
    "'$s'",
    "'$t'",
    "'$k'",
    "null",
    "{p: '$s', q: '$t'}",
    "'$n.p'",
    "'$_id'",
    "{$mod: [{$ifNull: ['$s', 0]}, 2]}",
    "{$type: '$k'}"
  };

  private final RandomGenerator random;
  private final RandomDocuments documents;

  RandomStages(RandomGenerator random, RandomDocuments documents) {
    this.random = random;
    this.documents = documents;
  }

  private String pick(String... choices) {
    return documents.pick(choices);
  }

  /** A group of any documents. */
  String group() {
    String key = pick(KEYS);
    return switch (random.nextInt(9)) {
      case 0 -> "{$group: {_id: %s}}".formatted(key);
      case 1 -> "{$group: {_id: %s, n: {$sum: 1}, s: {$sum: '%s'}}}".formatted(key, number());
      case 2 -> "{$group: {_id: %s, s: {$max: '$k'}, t: {$min: '$m'}}}".formatted(key);
      case 3 -> "{$group: {_id: %s, s: {$avg: '%s'}, t: {$count: {}}}}".formatted(key, number());
      case 4 ->
          "{$group: {_id: %s, x: {$%s: '%s'}}}, {$set: {x: {$round: ['$x', 6]}}}"
              .formatted(key, pick("stdDevPop", "stdDevSamp"), number());
      case 5 ->
          "{$group: {_id: %s, a: {$addToSet: '%s'}}}, {$set: {a: {$sortArray: {input: '$a', sortBy: 1}}}}"
              .formatted(key, number());
      case 6 ->
          "{$group: {_id: %s, a: {$%s: {input: '%s', n: %d}}}}"
              .formatted(key, pick("maxN", "minN"), number(), 1 + random.nextInt(4));
      case 7 ->
          "{$group: {_id: %s, a: {$push: '%s'}}}, {$set: {a: {$sortArray: {input: '$a', sortBy: -1}}}}"
              .formatted(key, number());
      default ->
          "{$group: {_id: %s, m: {$median: {input: '%s', method: 'approximate'}}}}"
              .formatted(key, number());
    };
  }

  /** A group of documents with an {@code _id} of their own: some of each in their order. */
  String orderedGroup(String sort) {
    String key = pick("'$s'", "'$t'", "{$type: '$k'}", "null");
    return switch (random.nextInt(5)) {
      case 0 ->
          "{$sort: %s}, {$group: {_id: %s, s: {$%s: '$_id'}, t: {$%s: '$k'}}}"
              .formatted(sort, key, pick("first", "last"), pick("first", "last"));
      case 1 ->
          "{$group: {_id: %s, a: {$%s: {sortBy: %s, output: ['$_id', '$s']}}}}"
              .formatted(key, pick("top", "bottom"), sort);
      case 2 ->
          "{$group: {_id: %s, a: {$%s: {n: %d, sortBy: %s, output: '$_id'}}}}"
              .formatted(key, pick("topN", "bottomN"), 1 + random.nextInt(5), sort);
      case 3 ->
          "{$sort: %s}, {$group: {_id: %s, a: {$%s: {input: '$_id', n: %d}}}}"
              .formatted(sort, key, pick("firstN", "lastN"), 1 + random.nextInt(4));
      default ->
          "{$sort: %s}, {$group: {_id: %s, a: {$push: '$_id'}, n: {$mergeObjects: '$n'}}}"
              .formatted(sort, key);
    };
  }

  /** A look at neighbours in an order that leaves no choice. */
  String window() {
    String output =
        switch (random.nextInt(8)) {
          case 0 -> "{$sum: 1, window: {documents: [-2, 'current']}}";
          case 1 -> "{$push: '$_id', window: {documents: [-1, 1]}}";
          case 2 -> "{$%s: {}}".formatted(pick("rank", "denseRank", "documentNumber"));
          case 3 -> "{$shift: {output: '$k', by: %s, default: 'none'}}".formatted(pick("1", "-2"));
          case 4 -> "{$%s: '$_id', window: {documents: ['unbounded', 0]}}".formatted(ends());
          case 5 -> "{$sum: '$n.q', window: {range: [-3, 3]}}";
          case 6 -> "{$locf: '$s'}";
          default -> "{$count: {}, window: {documents: ['current', 'unbounded']}}";
        };
    String partition = pick("", "partitionBy: '$s', ", "partitionBy: {$type: '$k'}, ");
    return "{$setWindowFields: {%ssortBy: {_id: %s}, output: {w: %s}}}"
        .formatted(partition, output.contains("range") ? "1" : pick("1", "-1"), output);
  }

  private String ends() {
    return pick("first", "last", "min", "max", "addToSet").replace("addToSet", "push");
  }

  /** A stage that fills gaps, in an order that leaves no choice. */
  String filled() {
    return pick(
        "{$fill: {sortBy: {_id: 1}, output: {s: {method: 'locf'}, t: {value: -1}}}}",
        "{$fill: {partitionByFields: ['t'], sortBy: {_id: -1}, output: {s: {method: 'linear'}}}}");
  }

  /** Makes one document of one, or none. */
  String changed() {
    return pick(
        "{$redact: {$cond: [{$gt: ['$s', 1]}, '$$KEEP', '$$DESCEND']}}",
        "{$redact: {$cond: [{$eq: [{$type: '$s'}, 'missing']}, '$$PRUNE', '$$DESCEND']}}",
        "{$replaceWith: {$mergeObjects: [{_id: '$_id', k: '$k'}, {s: '$s', t: {$add: ['$t',"
            + " 1]}}]}}",
        "{$replaceRoot: {newRoot: {_id: '$_id', n: '$n', s: {$ifNull: ['$s', 0]}}}}",
        "{$project: {k: 1, s: {$switch: {branches: [{case: {$lt: ['$s', 2]}, then: 'few'}],"
            + " default: '$t'}}, n: {q: {$sum: ['$n.q', '$s']}}}}",
        "{$set: {'n.z': {$size: {$ifNull: [{$cond: [{$isArray: '$a'}, '$a', null]}, []]}}}}");
  }

  /** Buckets, and values between those that are there. */
  String spread() {
    return switch (random.nextInt(4)) {
      case 0 ->
          "{$bucket: {groupBy: '$s', boundaries: [0, 2, 5], default: 'none', output: {n: {$sum: 1},"
              + " t: {$max: '$t'}}}}";
      case 1 ->
          "{$bucketAuto: {groupBy: '%s', buckets: %d, output: {n: {$sum: 1}, x: {$max: '$_id'}}}}"
              .formatted(number(), 2 + random.nextInt(3));
      case 2 -> "{$sortByCount: '$%s'}".formatted(pick("s", "t", "n.q"));
      default ->
          "{$group: {_id: '$t', s: {$max: '$s'}}}, {$match: {s: {$type: 'number'}}}, {$densify:"
              + " {field: 's', range: {step: 1, bounds: 'full'}}}, {$project: {s: 1, _id: 0}}";
    };
  }

  private String number() {
    return pick(NUMBERS);
  }
}
