package dev.wisent.database;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.UpdateStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Random updates of {@link RandomData}'s documents: all operators, with paths that lead into
 * arrays, beyond their ends and to nothing, pipelines, replacements and upserts. Some are refused,
 * by the parser or by a document.
 */
public final class RandomUpdates {
  private static final String[] PATHS = {
    "a", "b", "c", "a.x", "a.y", "b.x", "b.y", "c.x", "a.x.y", "a.0", "a.1", "b.1", "c.0", "a.3",
    "a.0.x", "a.1.x", "b.1.y", "a.2.y", "b.5.x", "a.0.0", "a.0.1.x", "a.x.0", "a.x.1.y", "b.x.y.0",
    "c.2.x.1", "d", "d.0", "a.z", "b.0.z", "c.1.z.0", "a.3.x", "a.4.y", "b.3.x", "b.4.y", "a.3.z",
    "b.4.z", "c.3.z"
  };
  private static final String[] ELEMENT_PATHS = {
    "a.$",
    "a.$.x",
    "b.$.y",
    "a.$[]",
    "a.$[].x",
    "b.$[].y",
    "a.$[e]",
    "a.$[e].x",
    "b.$[e].z",
    "c.$[e].1",
    "a.$[].x.$[]",
    "a.$[e].x.1.y",
    "b.$[].1",
    "a.x.$[e]",
    "a.0.$[]"
  };
  private static final String[] ELEMENT_FILTERS = {
    "{e: {$gt: 1}}", "{'e.x': {$gte: 1}}", "{e: {$ne: null}}", "{'e.y': null}", "{e: {$type: 3}}"
  };
  private static final String[] PIPELINES = {
    "[{$set: {a: '$b'}}]",
    "[{$set: {'a.x': '$c'}}]",
    "[{$set: {'a.x': {$add: [1, 1]}, c: ['$a', '$b']}}]",
    "[{$set: {'b.1': 5}}]",
    "[{$unset: ['a.x', 'b']}]",
    "[{$unset: 'a.0'}]",
    "[{$replaceWith: {_id: '$_id', a: '$b', b: '$a.x', c: {x: '$c'}}}]",
    "[{$project: {a: 1, 'b.x': 1}}]",
    "[{$set: {a: {$cond: [{$isArray: '$a'}, {$concatArrays: ['$a', [{x: 1}]]}, []]}}}]",
    "[{$set: {c: {$size: '$a'}}}]"
  };
  private static final String[] DATES = {"date", "timestamp"};

  private final RandomGenerator random;
  private final RandomData data;

  public RandomUpdates(RandomGenerator random, RandomData data) {
    this.random = random;
    this.data = data;
  }

  /** Of one document, of all that match, or an upsert. */
  public UpdateStatement statement(int idsMax) {
    boolean upsert = random.nextInt(8) == 0;
    BsonDocument filter = data.filter();
    if (upsert && random.nextBoolean()) {
      filter = new BsonDocument("_id", new BsonInt32(random.nextInt(idsMax)));
    }
    boolean multi = random.nextInt(3) != 0;
    return switch (random.nextInt(8)) {
      case 0 -> statement(filter, pipeline(), List.of(), multi, upsert);
      case 1 -> statement(filter, replacement(), List.of(), false, upsert);
      case 2, 3 -> ofElements(multi, upsert);
      default -> {
        BsonDocument operators = operators();
        if (random.nextInt(10) == 0) {
          operators.put("$setOnInsert", new BsonDocument("e", data.value(1)));
        }
        if (random.nextInt(10) == 0) {
          BsonDocument type = new BsonDocument("$type", new BsonString(pick(DATES)));
          operators.put("$currentDate", new BsonDocument(path(), type));
        }
        yield statement(filter, operators, List.of(), multi, upsert);
      }
    };
  }

  private static UpdateStatement statement(
      BsonDocument filter,
      BsonValue update,
      List<BsonDocument> arrayFilters,
      boolean multi,
      boolean upsert) {
    return new UpdateStatement(
        RawDocument.of(filter),
        value(update),
        multi,
        upsert,
        arrayFilters.stream().map(RawDocument::of).toList(),
        RawDocument.EMPTY,
        null);
  }

  private static RawValue value(BsonValue update) {
    return RawDocument.of(new BsonDocument("v", update)).get("v");
  }

  /** An update by the position that the filter finds, or by conditions on elements. */
  private UpdateStatement ofElements(boolean multi, boolean upsert) {
    String path = pick(ELEMENT_PATHS);
    String array = path.substring(0, path.indexOf(".$"));
    BsonDocument filter =
        switch (random.nextInt(3)) {
          case 0 -> new BsonDocument(array, new BsonDocument("$elemMatch", condition()));
          case 1 -> new BsonDocument(array + ".x", data.value(0));
          default -> new BsonDocument(array, condition());
        };
    List<BsonDocument> filters =
        path.contains("$[e]")
            ? List.of(BsonDocument.parse(pick(ELEMENT_FILTERS)))
            : List.<BsonDocument>of();
    return statement(filter, operator(path), filters, multi, upsert && filters.isEmpty());
  }

  private BsonDocument condition() {
    return new BsonDocument(
        random.nextBoolean() ? "$gte" : "$ne", new BsonInt32(random.nextInt(3)));
  }

  public BsonArray pipeline() {
    return BsonArray.parse(pick(PIPELINES));
  }

  private BsonDocument replacement() {
    BsonDocument document = data.document(0);
    document.remove("_id");
    return document;
  }

  /** One to three operators, whose effect depends on nothing but the document. */
  public BsonDocument operators() {
    var update = new BsonDocument();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      operator(path()).forEach((name, fields) -> fields(update, name).putAll(fields.asDocument()));
    }
    return update;
  }

  private static BsonDocument fields(BsonDocument update, String operator) {
    return update.computeIfAbsent(operator, name -> new BsonDocument()).asDocument();
  }

  private String path() {
    return random.nextInt(3) == 0 ? data.path() : pick(PATHS);
  }

  private BsonDocument operator(String path) {
    return switch (random.nextInt(22)) {
      case 0, 1, 2, 3, 4 -> one("$set", path, data.value(2));
      case 5, 6 -> one("$unset", path, BsonNull.VALUE);
      case 7 -> one("$inc", path, number());
      case 8 -> one("$mul", path, number());
      case 9 -> one("$min", path, data.value(1));
      case 10 -> one("$max", path, data.value(1));
      case 11 -> one("$rename", path, new BsonString(path()));
      case 12, 13, 14 -> one("$push", path, random.nextBoolean() ? data.value(1) : pushed());
      case 15 -> one("$addToSet", path, random.nextBoolean() ? data.value(1) : each());
      case 16, 17 -> one("$pull", path, random.nextBoolean() ? data.value(0) : condition());
      case 18 -> one("$pullAll", path, values());
      case 19 -> one("$pop", path, new BsonInt32(random.nextBoolean() ? 1 : -1));
      case 20 -> one("$bit", path, new BsonDocument("xor", new BsonInt32(random.nextInt(4))));
      default -> one("$pull", path, new BsonDocument("x", condition()));
    };
  }

  private static BsonDocument one(String operator, String path, BsonValue argument) {
    return new BsonDocument(operator, new BsonDocument(path, argument));
  }

  private BsonValue number() {
    return switch (random.nextInt(3)) {
      case 0 -> new BsonInt32(1 + random.nextInt(2));
      case 1 -> new BsonInt64(2);
      default -> new BsonDouble(0.5);
    };
  }

  private BsonDocument each() {
    return new BsonDocument("$each", values());
  }

  private BsonDocument pushed() {
    BsonDocument each = each();
    if (random.nextBoolean()) {
      each.put("$position", new BsonInt32(random.nextInt(4) - 1));
    }
    if (random.nextInt(3) == 0) {
      each.put("$slice", new BsonInt32(random.nextInt(5) - 2));
    }
    if (random.nextInt(3) == 0) {
      each.put(
          "$sort",
          random.nextBoolean() ? new BsonInt32(-1) : new BsonDocument("x", new BsonInt32(1)));
    }
    return each;
  }

  private BsonArray values() {
    var values = new ArrayList<BsonValue>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values.add(random.nextInt(4) == 0 ? BsonBoolean.TRUE : data.value(1));
    }
    return new BsonArray(values);
  }

  private String pick(String[] pool) {
    return pool[random.nextInt(pool.length)];
  }
}
