package dev.wisent.database;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonUndefined;
import org.bson.BsonValue;

/**
 * Random documents, index patterns, filters and sorts. Names and values come from small pools, so
 * that filters often match and sort keys are often equal.
 */
public final class RandomData {
  private static final String[] PATHS = {
    "a", "b", "c", "a.x", "a.y", "a.x", "a.y", "b.x", "b.y", "a.x.y", "a.0", "a.0.x", "b.1", "c.x"
  };
  private static final String[] SORT_PATHS = {
    "a", "b", "c", "a.x", "a.y", "b.x", "a.x.y", "a.0", "b.1", "a.0.x", "c.x"
  };
  private static final String[] PARTIAL_FILTERS = {
    "{a: {$exists: true}}",
    "{a: {$gt: 1}}",
    "{b: {$gte: 1, $lt: 3}}",
    "{'a.x': {$type: 'int'}}",
    "{c: 1}",
    "{$or: [{a: {$gt: 2}}, {b: {$exists: true}}]}",
    "{b: {$in: [1, 2, null]}}"
  };
  private static final String[] WILDCARDS = {
    "{'$**': 1}", "{'a.$**': 1}", "{'$**': -1}", "{b: 1, 'a.$**': 1}", "{'a.$**': 1, c: -1}"
  };
  private static final String[] WILDCARD_PROJECTIONS = {
    "{a: 1}", "{'a.x': 1, b: 1}", "{a: 0}", "{'a.y': 0, _id: 1}"
  };
  private static final String[] COLLATIONS = {
    "{locale: 'simple'}",
    "{locale: 'en'}",
    "{locale: 'en', strength: 1}",
    "{locale: 'de', strength: 2, numericOrdering: true}",
    "{locale: 'fr_CA', alternate: 'shifted', caseFirst: 'upper'}"
  };
  private static final String[] REGEXES = {"^a", "b$", "^", "x", "^ab?$"};

  private final RandomGenerator random;
  private final RandomValues values;

  public RandomData(RandomGenerator random) {
    this.random = random;
    this.values = new RandomValues(random);
  }

  public BsonDocument document(int id) {
    return values.document(id);
  }

  public BsonValue value(int depth) {
    return values.value(depth);
  }

  public String path() {
    return pick(PATHS);
  }

  /** One to four different paths with directions. */
  public BsonDocument keyPattern() {
    return pattern(PATHS, 4);
  }

  /** The key of an index and its options. */
  public BsonDocument index() {
    BsonDocument key = keyPattern();
    var index = new BsonDocument("key", key);
    switch (random.nextInt(16)) {
      case 0, 1 -> index.put("sparse", BsonBoolean.TRUE);
      case 2 -> index.put("unique", BsonBoolean.TRUE);
      case 3 -> {
        // Few documents have the same values in everything else.
        key.put("_id", new BsonInt32(1));
        index.put("unique", BsonBoolean.TRUE);
      }
      case 4, 5 -> index.put("partialFilterExpression", BsonDocument.parse(pick(PARTIAL_FILTERS)));
      case 6 -> key.put(pick(key.keySet().toArray(String[]::new)), new BsonString("hashed"));
      case 7, 8 -> index.put("key", BsonDocument.parse(pick(WILDCARDS)));
      case 9 -> {
        index.put("key", BsonDocument.parse("{'$**': 1}"));
        index.put("wildcardProjection", BsonDocument.parse(pick(WILDCARD_PROJECTIONS)));
      }
      case 10 -> index.put("hidden", BsonBoolean.TRUE);
      default -> {}
    }
    if (random.nextInt(3) == 0) {
      index.put("collation", collation());
    }
    return index;
  }

  /** One of a few, the simple one among them. */
  public BsonDocument collation() {
    return BsonDocument.parse(pick(COLLATIONS));
  }

  private BsonDocument pattern(String[] paths, int fieldsMax) {
    var pattern = new BsonDocument();
    int fields = 1 + random.nextInt(fieldsMax);
    while (pattern.size() < fields) {
      pattern.put(pick(paths), new BsonInt32(random.nextBoolean() ? 1 : -1));
    }
    return pattern;
  }

  public BsonDocument sort() {
    BsonDocument sort = pattern(SORT_PATHS, 3);
    if (random.nextInt(4) == 0) {
      sort.put("_id", new BsonInt32(1));
    }
    return sort;
  }

  public BsonDocument filter() {
    return filter(2);
  }

  private BsonDocument filter(int depth) {
    var filter = new BsonDocument();
    int conditions = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3);
    for (int i = 0; i < conditions; i++) {
      if (depth > 0 && random.nextInt(6) == 0) {
        String operator = List.of("$and", "$or", "$nor").get(random.nextInt(3));
        filter.put(operator, new BsonArray(List.of(filter(depth - 1), filter(depth - 1))));
      } else if (random.nextInt(10) == 0) {
        filter.put("$expr", comparison(path()));
      } else {
        BsonValue condition = condition(depth);
        if (isOperators(condition) && random.nextInt(5) == 0) {
          BsonValue more = condition(depth);
          if (isOperators(more)) {
            more.asDocument().forEach(condition.asDocument()::putIfAbsent);
          }
        }
        filter.put(path(), condition);
      }
    }
    return filter;
  }

  /** Conditions on the leading fields of an index, of the kinds that bound it. */
  public BsonDocument filterFor(List<String> fields) {
    var filter = new BsonDocument();
    int count = 1 + random.nextInt(fields.size());
    for (String field : fields.subList(0, count)) {
      if (random.nextInt(8) == 0) {
        filter.put("$expr", comparison(field));
        continue;
      }
      filter.put(
          field,
          switch (random.nextInt(4)) {
            case 0 -> new BsonInt32(random.nextInt(5));
            case 1 -> operand();
            case 2 -> range();
            default -> new BsonDocument("$in", choices());
          });
    }
    return filter;
  }

  /** A sort by some of the fields of an index in their order, mostly in directions that fit. */
  public BsonDocument sortFor(List<String> fields) {
    var sort = new BsonDocument();
    int from = random.nextInt(fields.size());
    int to = from + 1 + random.nextInt(fields.size() - from);
    int direction = random.nextBoolean() ? 1 : -1;
    for (String field : fields.subList(from, to)) {
      sort.put(field, new BsonInt32(random.nextInt(5) == 0 ? -direction : direction));
    }
    return sort;
  }

  /** A projection that the keys of an index often can answer. */
  public BsonDocument projectionFor(List<String> fields) {
    var projection = new BsonDocument();
    if (random.nextInt(6) == 0) {
      projection.put(path(), BsonBoolean.valueOf(random.nextBoolean()));
      return projection;
    }
    for (String field : fields.subList(random.nextInt(fields.size()), fields.size())) {
      boolean collides =
          projection.keySet().stream()
              .anyMatch(other -> isWithin(field, other) || isWithin(other, field));
      if (!collides && (projection.isEmpty() || random.nextBoolean())) {
        projection.put(field, BsonBoolean.TRUE);
      }
    }
    if (!projection.containsKey("_id") && random.nextInt(4) != 0) {
      projection.put("_id", BsonBoolean.FALSE);
    }
    return projection;
  }

  private static boolean isWithin(String path, String other) {
    return path.equals(other) || path.startsWith(other + ".");
  }

  /** A comparison of a field with a constant, as an expression. */
  private BsonDocument comparison(String path) {
    String[] operators = {"$eq", "$ne", "$lt", "$lte", "$gt", "$gte"};
    BsonValue field = new BsonString("$" + path);
    BsonValue constant = new BsonDocument("$literal", operand());
    return new BsonDocument(
        pick(operators),
        new BsonArray(random.nextBoolean() ? List.of(field, constant) : List.of(constant, field)));
  }

  private BsonValue condition(int depth) {
    return switch (random.nextInt(20)) {
      case 0, 1, 2, 3 -> equality();
      case 4, 5 -> new BsonDocument("$in", choices());
      case 6, 7, 8 -> range();
      case 9 -> new BsonDocument("$ne", operand());
      case 10 -> new BsonDocument("$exists", BsonBoolean.valueOf(random.nextBoolean()));
      case 11 -> new BsonRegularExpression(pick(REGEXES), random.nextBoolean() ? "i" : "");
      case 12 -> BsonNull.VALUE;
      case 13 -> new BsonDocument("$nin", choices());
      case 14 -> new BsonDocument("$not", depth > 0 ? negatable(depth) : range());
      case 15 -> new BsonDocument("$type", pickType());
      case 16 -> other();
      case 17 -> all(depth);
      default -> elemMatch(depth);
    };
  }

  /** A condition that may stand under {@code $not}: a document or a regular expression. */
  private BsonValue negatable(int depth) {
    BsonValue condition = condition(depth - 1);
    return condition.isRegularExpression() || isOperators(condition)
        ? condition
        : new BsonDocument("$eq", condition);
  }

  private static boolean isOperators(BsonValue condition) {
    return condition.isDocument()
        && !condition.asDocument().isEmpty()
        && condition.asDocument().getFirstKey().startsWith("$");
  }

  private BsonValue pickType() {
    String[] types = {"number", "string", "null", "array", "object", "date", "bool", "minKey"};
    BsonValue type = new BsonString(pick(types));
    return random.nextBoolean() ? type : new BsonArray(List.of(type, new BsonString(pick(types))));
  }

  /** Conditions that no index answers by itself. */
  private BsonDocument other() {
    return switch (random.nextInt(3)) {
      case 0 -> new BsonDocument("$size", new BsonInt32(random.nextInt(4)));
      case 1 ->
          new BsonDocument(
              "$mod", new BsonArray(List.of(new BsonInt32(2), new BsonInt32(random.nextInt(2)))));
      default -> new BsonDocument("$bitsAnySet", new BsonInt32(1 + random.nextInt(4)));
    };
  }

  private BsonDocument all(int depth) {
    return new BsonDocument(
        "$all",
        depth > 0 && random.nextInt(3) == 0
            ? new BsonArray(List.of(elemMatch(depth - 1), elemMatch(depth - 1)))
            : new BsonArray(operands()));
  }

  private BsonValue equality() {
    BsonValue value = operand();
    return random.nextInt(5) == 0 ? new BsonDocument("$all", new BsonArray(operands())) : value;
  }

  private BsonDocument range() {
    var range = new BsonDocument();
    if (random.nextInt(3) != 0) {
      range.put(random.nextBoolean() ? "$gt" : "$gte", operand());
    }
    if (range.isEmpty() || random.nextBoolean()) {
      range.put(random.nextBoolean() ? "$lt" : "$lte", operand());
    }
    return range;
  }

  private BsonDocument elemMatch(int depth) {
    BsonDocument inner =
        switch (depth > 0 ? random.nextInt(8) : 0) {
          case 0, 1 -> range();
          case 2, 3, 4 -> new BsonDocument(field(), condition(depth - 1));
          case 5 -> new BsonDocument("x", condition(depth - 1)).append("y", condition(depth - 1));
          case 6 -> onElement(depth - 1);
          default -> elemMatch(depth - 1);
        };
    return new BsonDocument("$elemMatch", inner);
  }

  private String field() {
    return switch (random.nextInt(6)) {
      case 0 -> "0";
      case 1 -> "x.y";
      case 2, 3 -> "y";
      default -> "x";
    };
  }

  /** Operators, for an element itself. */
  private BsonDocument onElement(int depth) {
    BsonValue condition = condition(depth);
    return isOperators(condition)
        ? condition.asDocument()
        : new BsonDocument(
            random.nextBoolean() ? "$in" : "$nin", new BsonArray(List.of(condition)));
  }

  /** Values and regular expressions; now and then none. */
  private BsonArray choices() {
    var choices = new BsonArray(random.nextInt(20) == 0 ? List.of() : operands());
    if (random.nextInt(4) == 0) {
      choices.add(random.nextBoolean() ? BsonNull.VALUE : new BsonRegularExpression(pick(REGEXES)));
    }
    return choices;
  }

  private List<BsonValue> operands() {
    var operands = new ArrayList<BsonValue>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      operands.add(operand());
    }
    return operands;
  }

  /** Undefined cannot be compared with, and a regular expression is not compared but matched. */
  private BsonValue operand() {
    if (random.nextInt(3) == 0) {
      return new BsonInt32(random.nextInt(5));
    }
    BsonValue value = value(random.nextInt(4) == 0 ? 2 : 0);
    return value instanceof BsonUndefined || value instanceof BsonRegularExpression
        ? new BsonInt32(1)
        : value;
  }

  private String pick(String[] pool) {
    return pool[random.nextInt(pool.length)];
  }
}
