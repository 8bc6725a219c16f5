package dev.wisent.database.read;

import dev.wisent.database.RandomData;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.bson.BsonDocument;

/**
 * Random pipelines over the documents of {@link RandomData}. Each kind of stage is a row of the
 * table. What a pipeline gives must not depend on the order in which documents come, so stages that
 * care for the order are only made where a sort before them leaves no choice.
 */
final class RandomPipelines {
  /**
   * A kind of stage.
   *
   * @param weight how often it is made
   * @param stages makes one stage or several; null where that makes no sense
   */
  private record Row(int weight, Function<RandomPipelines, String> stages) {}

  private static final String[] FIELDS = {"a", "b", "c", "x", "y"};

  /** Fields that are no arrays in documents as they are stored. */
  private static final String[] PLAIN = {"s", "t"};

  private static final String[] PATHS = {
    "s", "t", "a", "b", "c", "x", "a.x", "a.y", "b.x", "c.x", "a.x.y"
  };

  /** Expressions that do not fail, whatever the document has. */
  private static final String[] EXPRESSIONS = {
    "'$a'",
    "'$b'",
    "'$c'",
    "'$x'",
    "'$_id'",
    "'$a.x'",
    "'$b.x'",
    "'$a.x.y'",
    "{$literal: 3}",
    "{$type: '$a'}",
    "{$isArray: '$b'}",
    "{$ifNull: ['$a', '$b', 0]}",
    "{$cond: [{$gt: ['$a', 1]}, '$c', '$b']}",
    "{$eq: ['$a', '$b']}",
    "{p: '$a', q: '$c'}",
    "['$a', '$b']",
    "'$$REMOVE'"
  };

  private static final List<Row> ROWS =
      List.of(
          new Row(8, RandomPipelines::match),
          new Row(4, RandomPipelines::sort),
          new Row(4, RandomPipelines::cut),
          new Row(3, RandomPipelines::include),
          new Row(2, RandomPipelines::compute),
          new Row(2, RandomPipelines::exclude),
          new Row(5, RandomPipelines::addFields),
          new Row(1, RandomPipelines::replaceRoot),
          new Row(3, RandomPipelines::unwind),
          new Row(3, RandomPipelines::group),
          new Row(2, RandomPipelines::endsOfGroups),
          new Row(2, RandomPipelines::lookup),
          new Row(3, RandomPipelines::groupOfCopies),
          new Row(1, RandomPipelines::union),
          new Row(1, RandomPipelines::facet),
          new Row(2, RandomPipelines::window),
          new Row(1, RandomPipelines::count));

  private final RandomGenerator random;
  private final RandomData data;

  /** Whether no two documents have the same {@code _id}. */
  private boolean uniqueId;

  /** Whether the order of documents is that of a sort that leaves no choice. */
  private boolean ordered;

  RandomPipelines(RandomGenerator random, RandomData data) {
    this.random = random;
    this.data = data;
  }

  /** A pipeline in JSON. */
  String pipeline() {
    uniqueId = true;
    ordered = false;
    var stages = new StringBuilder("[");
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      String made = pick().stages().apply(this);
      if (made != null) {
        stages.append(stages.length() == 1 ? "" : ", ").append(made);
      }
    }
    return stages.append("]").toString();
  }

  private Row pick() {
    int left = random.nextInt(ROWS.stream().mapToInt(Row::weight).sum());
    int row = 0;
    while (left >= ROWS.get(row).weight()) {
      left -= ROWS.get(row++).weight();
    }
    return ROWS.get(row);
  }

  /** Whether the order of the documents that come out is known. */
  boolean isOrdered() {
    return ordered;
  }

  private String pick(String[] choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String match() {
    return switch (random.nextInt(8)) {
      case 3 -> "{$match: {'_id': {$gte: %d}}}".formatted(random.nextInt(4));
      case 4 ->
          "{$match: {'_id.%s': {$in: [0, 1, null]}}}".formatted(random.nextBoolean() ? "p" : "q");
      case 0 -> "{$match: {'%s': {$gte: %d}}}".formatted(pick(PATHS), random.nextInt(4));
      case 1 -> "{$match: {$expr: {$gt: ['$%s', '$%s']}}}".formatted(pick(PATHS), pick(PATHS));
      case 2 -> "{$match: {_id: {$lt: %d}}}".formatted(random.nextInt(50));
      default -> "{$match: %s}".formatted(data.filter().toJson());
    };
  }

  private String sort() {
    BsonDocument sort = data.sort();
    if (uniqueId) {
      sort.remove("_id");
      ordered = true;
      return "{$sort: %s}".formatted(sort.append("_id", BsonDocument.parse("{v: 1}").get("v")));
    }
    ordered = false;
    return "{$sort: %s}".formatted(sort.toJson());
  }

  private String cut() {
    String sort = "";
    if (!ordered) {
      if (!uniqueId) {
        return null;
      }
      sort = sort() + ", ";
    }
    return switch (random.nextInt(3)) {
      case 0 -> sort + "{$limit: %d}".formatted(1 + random.nextInt(40));
      case 1 -> sort + "{$skip: %d}".formatted(random.nextInt(10));
      default ->
          sort + "{$skip: %d}, {$limit: %d}".formatted(random.nextInt(10), 1 + random.nextInt(20));
    };
  }

  private String include() {
    boolean withId = random.nextInt(3) > 0;
    uniqueId &= withId;
    String path = pick(PATHS);
    String other = pick(FIELDS);
    String more =
        path.startsWith(other) || random.nextBoolean() ? "" : ", '%s': 1".formatted(other);
    return "{$project: {'%s': 1%s%s}}".formatted(path, more, withId ? "" : ", _id: 0");
  }

  private String compute() {
    String fields = "%s: %s, k: %s".formatted(pick(FIELDS), pick(EXPRESSIONS), pick(EXPRESSIONS));
    return "{$project: {%s}}".formatted(fields);
  }

  private String exclude() {
    return random.nextBoolean()
        ? "{$unset: '%s'}".formatted(pick(PATHS))
        : "{$project: {'%s': 0}}".formatted(pick(PATHS));
  }

  private String addFields() {
    return switch (random.nextInt(3)) {
      case 0 -> "{$set: {%s: '$%s'}}".formatted(pick(FIELDS), pick(FIELDS));
      case 1 -> "{$addFields: {'%s': %s}}".formatted(pick(PATHS), pick(EXPRESSIONS));
      default -> "{$set: {x: %s, y: %s}}".formatted(pick(EXPRESSIONS), pick(EXPRESSIONS));
    };
  }

  private String replaceRoot() {
    if (random.nextBoolean()) {
      return "{$replaceRoot: {newRoot: {$mergeObjects: [{k: 1}, '$$ROOT']}}}";
    }
    uniqueId = false;
    String field = pick(FIELDS);
    return "{$match: {%s: {$type: 'object', $not: {$type: 'array'}}}}, {$replaceWith: '$%s'}"
        .formatted(field, field);
  }

  private String unwind() {
    uniqueId = false;
    String path = pick(PATHS);
    return switch (random.nextInt(3)) {
      case 0 -> "{$unwind: {path: '$%s', preserveNullAndEmptyArrays: true}}".formatted(path);
      case 1 -> "{$unwind: {path: '$%s', includeArrayIndex: 'i'}}".formatted(path);
      default -> "{$unwind: '$%s'}".formatted(path);
    };
  }

  private String group() {
    int kind = random.nextInt(6);
    String key =
        switch (kind) {
          case 0, 1, 2 -> "'$%s'".formatted(pick(PLAIN));
          case 3 -> "null";
          case 4 -> "{p: '$%s', q: '$%s'}".formatted(pick(FIELDS), pick(PLAIN));
          default -> pick(EXPRESSIONS);
        };
    // A sort does not tell an array from its least element.
    uniqueId = kind < 5;
    ordered = false;
    return "{$group: {_id: %s%s}}".formatted(key, accumulators());
  }

  private String accumulators() {
    return switch (random.nextInt(4)) {
      case 0 -> "";
      case 1 -> ", n: {$sum: 1}, x: {$count: {}}";
      case 2 -> ", a: {$max: '$%s'}, b: {$min: '$%s'}".formatted(pick(PLAIN), pick(FIELDS));
      default -> ", a: {$sum: '$%s'}, b: {$avg: '$%s'}".formatted(pick(PATHS), pick(PLAIN));
    };
  }

  /** The first or last of a group, in an order that leaves no choice. */
  private String endsOfGroups() {
    if (!uniqueId) {
      return null;
    }
    ordered = false;
    String end = random.nextBoolean() ? "$first" : "$last";
    String first = pick(PLAIN);
    String second = first.equals("s") ? "t" : "s";
    int direction = random.nextBoolean() ? 1 : -1;
    int other = random.nextInt(4) == 0 ? -direction : direction;
    return "{$sort: {%s: %d, %s: %d, _id: %d}}, {$group: {_id: '$%s', a: {%s: '$%s'}, b: {%s: '$_id'}}}"
        .formatted(first, direction, second, other, direction, first, end, second, end);
  }

  private String lookup() {
    String join =
        random.nextInt(3) == 0
            ? "{$lookup: {from: 'o', let: {v: '$%s'}, pipeline: [{$match: {$expr: {$eq: ['$s', '$$v']}}}, {$sort: {_id: 1}}], as: '%s'}}"
                .formatted(pick(PLAIN), pick(FIELDS))
            : "{$lookup: {from: 'o', localField: '%s', foreignField: '%s', pipeline: [{$sort: {_id: 1}}], as: 'j'}}"
                .formatted(pick(PATHS), pick(PLAIN));
    if (!join.endsWith("as: 'j'}}") || random.nextBoolean()) {
      return join;
    }
    uniqueId = false;
    String match =
        random.nextBoolean() ? ", {$match: {'j.%s': {$gt: 0}}}".formatted(pick(PLAIN)) : "";
    return join + ", {$unwind: '$j'}" + match;
  }

  /** Groups of what a stage makes that copies documents, of which only some fields are needed. */
  private String groupOfCopies() {
    uniqueId = false;
    ordered = false;
    String as = random.nextBoolean() ? "j" : pick(PATHS);
    String join =
        "{$lookup: {from: 'o', localField: '%s', foreignField: '%s', as: '%s'}}"
            .formatted(pick(PATHS), pick(PATHS), as);
    String copies =
        switch (random.nextInt(5)) {
          case 0 -> unwind();
          case 1 -> unwind() + ", " + unwind();
          case 2 -> join;
          case 3 -> join + ", {$unwind: '$%s'}".formatted(as);
          default -> unwind() + ", " + join;
        };
    String size = "{$sum: {$size: {$ifNull: [{$cond: [{$isArray: '$%s'}, '$%s', []]}, []]}}}";
    return switch (random.nextInt(3)) {
      case 0 -> copies + ", " + group();
      case 1 -> copies + ", {$group: {_id: '$%s.%s', n: {$sum: 1}}}".formatted(as, pick(PLAIN));
      default ->
          copies + ", {$group: {_id: '$%s', n: %s}}".formatted(pick(PLAIN), size.formatted(as, as));
    };
  }

  private String union() {
    uniqueId = false;
    ordered = false;
    return random.nextBoolean()
        ? "{$unionWith: 'o'}"
        : "{$unionWith: {coll: 'o', pipeline: [{$match: {s: {$ne: 1}}}]}}";
  }

  private String facet() {
    uniqueId = false;
    return "{$facet: {f: [{$group: {_id: null, n: {$sum: 1}}}], g: [%s, {$count: 'n'}]}}"
        .formatted(match());
  }

  /** A window that looks at its documents in an order that leaves no choice. */
  private String window() {
    if (!uniqueId) {
      return null;
    }
    ordered = false;
    String sums = "x: {$sum: 1, window: {documents: [-2, 'current']}}, y: {$rank: {}}";
    return "{$setWindowFields: {partitionBy: '$%s', sortBy: {_id: 1}, output: {%s}}}"
        .formatted(pick(PLAIN), sums);
  }

  private String count() {
    uniqueId = false;
    return "{$count: 'n'}";
  }
}
