package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Random reads of the collection {@code c}, or of the view {@code v} of it, as JSON. What they give
 * does not depend on where documents are: skips and limits have a sort that leaves no choice.
 */
final class RandomReads {
  private static final String[] KEY_PATHS = {"k", "m", "n.p", "_id"};
  private static final String[] PATHS = {
    "k", "m", "n.p", "n.q", "n", "s", "t", "a", "b", "a.x", "b.y", "_id"
  };
  private static final String[] PLAIN = {"s", "t", "n.q"};
  private static final String[] COLLATIONS = {
    "{locale: 'en', strength: 1}", "{locale: 'en', strength: 2}", "{locale: 'simple'}"
  };
  private static final String[] EXPRESSIONS = {
    "'$k'",
    "'$m'",
    "'$a'",
    "{$type: '$b'}",
    "{$ifNull: ['$s', '$t', 0]}",
    "['$k', '$s']",
    "{$cond: [{$gt: ['$s', 1]}, '$a', '$b']}",
    "'$$REMOVE'",
    "{$eq: ['$k', '$m']}"
  };

  /** A read, and whether the order of its results is known. */
  record Read(String command, boolean ordered) {}

  private record Row(int weight, Function<RandomReads, String> stages) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(8, RandomReads::match),
          new Row(4, reads -> reads.ordered(reads.sort())),
          new Row(4, RandomReads::cut),
          new Row(3, reads -> "{$project: %s}".formatted(reads.inclusion())),
          new Row(2, RandomReads::computed),
          new Row(1, reads -> "{$unset: '%s'}".formatted(reads.pick(PLAIN))),
          new Row(2, reads -> reads.copies(reads.unwind())),
          new Row(5, RandomReads::group),
          new Row(2, RandomReads::endsOfGroups),
          new Row(3, RandomReads::lookup),
          new Row(2, RandomReads::union),
          new Row(1, RandomReads::graph),
          new Row(1, RandomReads::facet),
          new Row(1, RandomReads::window),
          new Row(
              1, reads -> reads.copies("{$sortByCount: '$%s'}".formatted(reads.pick("s", "t")))),
          new Row(1, RandomReads::bucket),
          new Row(1, reads -> reads.copies("{$sample: {size: 1000}}")),
          new Row(1, reads -> reads.copies("{$count: 'n'}")));

  private final RandomGenerator random;
  private final RandomDocuments documents;

  /** Whether no two documents of the pipeline have the same {@code _id}. */
  private boolean uniqueId;

  private boolean ordered;

  RandomReads(RandomGenerator random, RandomDocuments documents) {
    this.random = random;
    this.documents = documents;
  }

  Read next() {
    uniqueId = true;
    ordered = false;
    String collection = pick("c", "c", "c", "c", "c", "c", "v", "v", "t", "w");
    return switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> find(collection);
      case 4 ->
          new Read(
              "{count: '%s', query: %s%s%s}"
                  .formatted(collection, filter(), countCut(), collation()),
              true);
      case 5 ->
          new Read(
              "{distinct: '%s', key: '%s', query: %s}".formatted(collection, pick(PATHS), filter()),
              false);
      default -> aggregate(collection);
    };
  }

  private Read find(String collection) {
    boolean sorted = random.nextBoolean();
    var command = new StringBuilder("{find: '%s', filter: %s".formatted(collection, filter()));
    if (sorted) {
      command.append(", sort: ").append(sort());
      if (random.nextBoolean()) {
        command.append(", skip: ").append(random.nextInt(12));
      }
      if (random.nextBoolean()) {
        command.append(", limit: ").append(random.nextInt(20));
        command.append(random.nextInt(4) == 0 ? ", singleBatch: true" : "");
      }
    }
    if (random.nextInt(3) == 0) {
      command.append(", projection: ").append(inclusion());
    } else if (random.nextInt(4) == 0) {
      command.append(", projection: {'%s': 0}".formatted(pick(PATHS)));
    }
    if (!command.toString().contains("singleBatch") && random.nextBoolean()) {
      command.append(", batchSize: ").append(random.nextInt(9));
    }
    return new Read(command.append(collation()).append('}').toString(), sorted);
  }

  private Read aggregate(String collection) {
    String stages = pipeline(1 + random.nextInt(5));
    int batch = random.nextBoolean() ? 101 : random.nextInt(9);
    return new Read(
        "{aggregate: '%s', pipeline: [%s], cursor: {batchSize: %d}%s}"
            .formatted(
                collection, stages, batch, random.nextInt(6) == 0 ? ", allowDiskUse: false" : ""),
        ordered);
  }

  /** The stages of a pipeline. */
  private String pipeline(int count) {
    var stages = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      String made = row().stages().apply(this);
      if (made != null) {
        stages.add(made);
      }
    }
    return String.join(", ", stages);
  }

  private Row row() {
    int left = random.nextInt(ROWS.stream().mapToInt(Row::weight).sum());
    int row = 0;
    while (left >= ROWS.get(row).weight()) {
      left -= ROWS.get(row++).weight();
    }
    return ROWS.get(row);
  }

  private String pick(String... choices) {
    return documents.pick(choices);
  }

  private String countCut() {
    return switch (random.nextInt(4)) {
      case 0 -> ", skip: %d".formatted(random.nextInt(9));
      case 1 -> ", limit: %d".formatted(random.nextInt(9));
      default -> "";
    };
  }

  private String collation() {
    return random.nextInt(6) == 0 ? ", collation: " + pick(COLLATIONS) : "";
  }

  /** A filter; often one that names shards. */
  String filter() {
    return switch (random.nextInt(12)) {
      case 0 -> "{}";
      case 1 -> "{$or: [%s, %s]}".formatted(condition(KEY_PATHS), condition(PATHS));
      case 2 -> "{$and: [%s, %s]}".formatted(condition(KEY_PATHS), condition(KEY_PATHS));
      case 3 ->
          "{$expr: {$%s: ['$%s', %s]}}".formatted(pick("eq", "gt", "lte"), pick(PATHS), literal());
      case 4 -> "{k: %s, m: %s}".formatted(documents.scalar(), documents.scalar());
      case 5 -> "{n: {p: %s, q: %s}}".formatted(documents.scalar(), documents.small());
      case 6 -> "{$nor: [%s]}".formatted(condition(KEY_PATHS));
      case 7, 8, 9 -> condition(KEY_PATHS);
      default -> condition(PATHS);
    };
  }

  private String literal() {
    return "{$literal: %s}".formatted(documents.scalar());
  }

  private String condition(String... paths) {
    String value = documents.scalar();
    String test =
        switch (random.nextInt(14)) {
          case 0, 1 -> value;
          case 2, 3 ->
              "{$in: [%s, %s, %s]}".formatted(value, documents.scalar(), documents.small());
          case 4, 5 -> "{$%s: %s}".formatted(pick("gt", "gte", "lt", "lte"), value);
          case 6 -> "{$gte: %s, $lt: %s}".formatted(documents.small(), documents.scalar());
          case 7 -> "{$ne: %s}".formatted(value);
          case 8 -> "{$exists: %s}".formatted(random.nextBoolean());
          case 9 -> "{$type: '%s'}".formatted(pick("number", "string", "null", "object"));
          case 10 -> "{$not: {$gt: %s}}".formatted(value);
          case 11 ->
              "{$regularExpression: {pattern: '%s', options: ''}}".formatted(pick("^a", "^", "b$"));
          case 12 -> "{$mod: [2, %d]}".formatted(random.nextInt(2));
          default -> "{$nin: [%s, null]}".formatted(value);
        };
    return "{'%s': %s}".formatted(pick(paths), test);
  }

  /** A sort that leaves no choice. */
  String sort() {
    String first = pick(PATHS);
    String sort = first.equals("_id") ? "" : "'%s': %s, ".formatted(first, pick("1", "-1"));
    String second = pick(PATHS);
    if (!second.equals("_id") && !second.equals(first) && random.nextBoolean()) {
      sort += "'%s': %s, ".formatted(second, pick("1", "-1"));
    }
    return "{%s_id: %s}".formatted(sort, pick("1", "-1"));
  }

  private String inclusion() {
    String first = pick("k", "m", "a", "b", "s", "t");
    String second = pick("n.p", "n", "a.x", "b.y", "s");
    boolean apart = !second.startsWith(first);
    boolean id = uniqueId && random.nextInt(3) > 0;
    uniqueId &= id;
    return "{'%s': 1%s%s}"
        .formatted(first, apart ? ", '" + second + "': 1" : "", id ? "" : ", _id: 0");
  }

  private String match() {
    return "{$match: %s}".formatted(filter());
  }

  private String ordered(String sort) {
    if (!uniqueId) {
      return null;
    }
    ordered = true;
    return "{$sort: %s}".formatted(sort);
  }

  private String cut() {
    String sort = ordered ? "" : ordered(sort());
    if (sort == null) {
      return null;
    }
    String before = sort.isEmpty() ? "" : sort + ", ";
    return before
        + pick(
            "{$limit: %d}".formatted(1 + random.nextInt(40)),
            "{$skip: %d}".formatted(random.nextInt(10)),
            "{$skip: %d}, {$limit: %d}".formatted(random.nextInt(9), 1 + random.nextInt(20)));
  }

  private String computed() {
    return "{$addFields: {%s: %s, z: %s}}"
        .formatted(pick("a", "b", "s"), pick(EXPRESSIONS), pick(EXPRESSIONS));
  }

  /** A stage after which an {@code _id} does not name one document. */
  private String copies(String stage) {
    if (!stage.startsWith("{$sample")) {
      uniqueId = false;
    }
    ordered = false;
    return stage;
  }

  private String unwind() {
    return pick(
        "{$unwind: '$a'}",
        "{$unwind: {path: '$b', preserveNullAndEmptyArrays: true}}",
        "{$unwind: {path: '$a', includeArrayIndex: 'i'}}");
  }

  private String group() {
    ordered = false;
    String key = pick("'$s'", "'$t'", "'$k'", "null", "{p: '$s', q: '$t'}", "'$n.p'", "'$_id'");
    uniqueId = true;
    return "{$group: {_id: %s%s}}"
        .formatted(
            key,
            pick(
                "",
                ", n: {$sum: 1}, s: {$sum: '$t'}",
                ", s: {$max: '$s'}, t: {$min: '$t'}",
                ", s: {$avg: '$s'}, t: {$count: {}}",
                ", s: {$sum: '$n.q'}, x: {$stdDevPop: 1}"));
  }

  /** The first or last of a group, in an order that leaves no choice. */
  private String endsOfGroups() {
    if (!uniqueId) {
      return null;
    }
    ordered = false;
    String sort = sort();
    String key = pick("s", "t");
    return "{$sort: %s}, {$group: {_id: '$%s', s: {$%s: '$_id'}, t: {$%s: '$k'}}}"
        .formatted(sort, key, pick("first", "last"), pick("first", "last"));
  }

  private String lookup() {
    String join =
        pick(
            "{$lookup: {from: '%s', localField: '%s', foreignField: '%s', pipeline: [{$sort: {_id: 1}}], as: 'j'}}"
                .formatted(other(), pick(PATHS), pick(PATHS)),
            "{$lookup: {from: '%s', let: {v: '$%s'}, pipeline: [{$match: {$expr: {$eq: ['$%s', '$$v']}}}, {$sort: {_id: 1}}, {$limit: 3}], as: 'j'}}"
                .formatted(other(), pick(PLAIN), pick(PLAIN)));
    return random.nextBoolean() ? join : copies(join + ", {$unwind: '$j'}");
  }

  /** A collection beside the one that is read: sharded or not, a view, or itself. */
  private String other() {
    return pick("o", "o", "c", "v", "u", "t", "w");
  }

  private String union() {
    return copies(
        "{$unionWith: {coll: '%s', pipeline: [%s]}}".formatted(other(), pick("", match())));
  }

  private String graph() {
    return "{$graphLookup: {from: '%s', startWith: '$s', connectFromField: 't', connectToField: '%s', maxDepth: 1, as: 'g'}}, {$set: {g: {$size: '$g'}}}"
        .formatted(other(), pick("s", "k"));
  }

  private String facet() {
    return copies(
        "{$facet: {f: [{$group: {_id: null, n: {$sum: 1}}}], g: [%s, {$count: 'n'}]}}"
            .formatted(match()));
  }

  /** A window that looks at its documents in an order that leaves no choice. */
  private String window() {
    if (!uniqueId) {
      return null;
    }
    ordered = false;
    return "{$setWindowFields: {partitionBy: '$%s', sortBy: {_id: 1}, output: {w: {$sum: 1, window: {documents: [-2, 'current']}}, r: {$rank: {}}}}}"
        .formatted(pick(PLAIN));
  }

  private String bucket() {
    return copies(
        "{$bucket: {groupBy: '$s', boundaries: [0, 2, 5], default: 'none', output: {n: {$sum: 1},"
            + " t: {$max: '$t'}}}}");
  }
}
