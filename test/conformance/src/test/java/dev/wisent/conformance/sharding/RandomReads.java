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
          new Row(6, RandomReads::group),
          new Row(3, reads -> reads.ofUnique(reads.stages.orderedGroup(reads.sort()), true)),
          new Row(3, RandomReads::lookup),
          new Row(3, RandomReads::union),
          new Row(2, RandomReads::graph),
          new Row(2, RandomReads::facet),
          new Row(3, reads -> reads.ofUnique(reads.stages.window(), true)),
          new Row(1, reads -> reads.ofUnique(reads.stages.filled(), false)),
          new Row(2, reads -> reads.stages.changed()),
          new Row(2, reads -> reads.copies(reads.stages.spread())),
          new Row(1, reads -> reads.copies("{$sample: {size: 1000}}")),
          new Row(1, reads -> reads.copies("{$count: 'n'}")));

  private final RandomGenerator random;
  private final RandomDocuments documents;
  private final RandomStages stages;
  private final RandomSearches searches;
  private final RandomIndexes indexes;

  /** How deep the pipeline is inside of others. */
  private int depth;

  /** Whether no two documents of the pipeline have the same {@code _id}. */
  private boolean uniqueId;

  private boolean ordered;

  RandomReads(RandomGenerator random, RandomDocuments documents, RandomIndexes indexes) {
    this.random = random;
    this.documents = documents;
    this.stages = new RandomStages(random, documents);
    this.searches = new RandomSearches(random, documents);
    this.indexes = indexes;
  }

  Read next() {
    uniqueId = true;
    ordered = false;
    String collection = pick("c", "c", "c", "c", "c", "c", "v", "v", "t", "w");
    return switch (random.nextInt(11)) {
      case 0, 1, 2, 3 -> find(collection);
      case 10 -> searches.find(filter());
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
    if (collection.equals("c") && random.nextInt(6) == 0) {
      command.append(indexes.hint());
    }
    return new Read(command.append(collation()).append('}').toString(), sorted);
  }

  private Read aggregate(String collection) {
    String search =
        collection.equals("c") && random.nextInt(8) == 0 ? searches.stage(filter()) + ", " : "";
    String pipeline = search + pipeline(1 + random.nextInt(5));
    int batch = random.nextBoolean() ? 101 : random.nextInt(9);
    return new Read(
        "{aggregate: '%s', pipeline: [%s], cursor: {batchSize: %d}%s%s}"
            .formatted(
                collection,
                pipeline,
                batch,
                random.nextInt(6) == 0 ? ", allowDiskUse: false" : "",
                search.isEmpty() && random.nextInt(3) == 0 ? collation() : ""),
        ordered);
  }

  /** The stages of a pipeline. */
  private String pipeline(int count) {
    var made = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      String stage = row().stages().apply(this);
      if (stage != null) {
        made.add(stage);
      }
    }
    return String.join(", ", made);
  }

  /** A pipeline inside of a stage, whose results are in an order that leaves no choice. */
  private String inner(boolean unique) {
    boolean uniqueBefore = uniqueId;
    boolean orderedBefore = ordered;
    uniqueId = unique;
    ordered = false;
    depth++;
    String made = pipeline(random.nextInt(depth > 1 ? 2 : 4));
    String end = uniqueId ? "{$sort: {_id: 1}}" : "{$count: 'n'}";
    depth--;
    uniqueId = uniqueBefore;
    ordered = orderedBefore;
    return made.isEmpty() ? end : made + ", " + end;
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
    return switch (random.nextInt(13)) {
      case 0 -> "{}";
      case 12 -> ofArrays();
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

  private String ofArrays() {
    String path = pick("a", "b");
    String value = documents.scalar();
    return pick(
        "{%s: {$elemMatch: {x: %s}}}".formatted(path, value),
        "{%s: {$all: [%s]}}".formatted(path, value),
        "{%s: {$size: 2}, k: %s}".formatted(path, value),
        "{$jsonSchema: {required: ['%s'], properties: {s: {minimum: 1}}}}".formatted(path),
        "{'%s.0': %s}".formatted(path, value),
        "{$and: [{k: {$in: [%s, 1, 'a']}}, {%s: {$type: 'array'}}]}".formatted(value, path));
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
    // Two arrays are refused, unless a plan finds that there is nothing to sort.
    boolean parallel = "ab".indexOf(first.charAt(0)) >= 0 && "ab".indexOf(second.charAt(0)) >= 0;
    if (!second.equals("_id") && !parallel && !second.equals(first) && random.nextBoolean()) {
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
    uniqueId = true;
    return stages.group();
  }

  /** A stage that needs documents with an {@code _id} of their own. */
  private String ofUnique(String stage, boolean unordered) {
    if (!uniqueId) {
      return null;
    }
    ordered &= !unordered;
    return stage;
  }

  private String lookup() {
    String join =
        pick(
            "{$lookup: {from: '%s', localField: '%s', foreignField: '%s', pipeline: [{$sort: {_id: 1}}], as: 'j'}}"
                .formatted(other(), pick(PATHS), pick(PATHS)),
            "{$lookup: {from: '%s', let: {v: '$%s'}, pipeline: [{$match: {$expr: {$eq: ['$%s', '$$v']}}}, {$sort: {_id: 1}}, {$limit: 3}], as: 'j'}}"
                .formatted(other(), pick(PLAIN), pick(PLAIN)),
            "{$lookup: {from: '%s', localField: '%s', foreignField: '%s', pipeline: [%s], as: 'j'}}"
                .formatted(other(), pick(PLAIN), pick(PLAIN), inner(true)));
    return random.nextBoolean() ? join : copies(join + ", {$unwind: '$j'}");
  }

  /** A collection beside the one that is read: sharded or not, a view, or itself. */
  private String other() {
    return pick("o", "o", "c", "v", "u", "t", "w");
  }

  private String union() {
    return copies("{$unionWith: {coll: '%s', pipeline: [%s]}}".formatted(other(), inner(true)));
  }

  private String graph() {
    String restriction =
        random.nextBoolean() ? "" : ", restrictSearchWithMatch: " + condition(PATHS);
    return "{$graphLookup: {from: '%s', startWith: '$%s', connectFromField: '%s', connectToField: '%s', maxDepth: %d, depthField: 'e', as: 'g'%s}}, {$set: {g: {$map: {input: {$sortArray: {input: '$g', sortBy: {_id: 1}}}, in: ['$$this._id', '$$this.e']}}}}"
        .formatted(
            other(), pick(PLAIN), pick("t", "k"), pick("s", "k"), random.nextInt(3), restriction);
  }

  private String facet() {
    return depth > 0
        ? null
        : copies("{$facet: {f: [%s], h: [%s]}}".formatted(inner(uniqueId), inner(uniqueId)));
  }
}
