package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * Random writes to the collection {@code c} as JSON, whose effect does not depend on where
 * documents are. An {@code _id} is only used for one value of the fields that can be shard keys; a
 * write of one document names it, or its sort does.
 */
final class RandomWriteCommands {
  private final RandomGenerator random;
  private final RandomDocuments documents;
  private final RandomReads reads;

  /** The fields that documents are made with, by their {@code _id}. */
  private final TreeMap<Integer, String> made = new TreeMap<>();

  private final String database;

  RandomWriteCommands(
      RandomGenerator random, RandomDocuments documents, RandomReads reads, String database) {
    this.random = random;
    this.documents = documents;
    this.reads = reads;
    this.database = database;
  }

  /** What documents are made with, for {@link #restore}. */
  TreeMap<Integer, String> state() {
    return new TreeMap<>(made);
  }

  /** Takes back what has been noted since, as the writes were undone. */
  void restore(TreeMap<Integer, String> before) {
    made.putAll(before);
  }

  String database() {
    return database;
  }

  /** An insert of documents that are new. */
  String fill(int count) {
    var inserted = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      inserted.add(document(made.size()));
    }
    return "{insert: 'c', documents: [%s]}".formatted(String.join(", ", inserted));
  }

  String document(int id) {
    String fields = made.computeIfAbsent(id, unused -> documents.fields());
    return "{_id: %d%s%s}".formatted(id, fields.isEmpty() ? "" : ", ", fields);
  }

  int anyId() {
    return random.nextInt(made.size() + 3);
  }

  /** Different ones. */
  List<Integer> someIds(int count) {
    return random.ints(0, made.size() + 3).distinct().limit(count).boxed().toList();
  }

  /**
   * Notes that a document has another value of a field from now on, if there is such a document;
   * otherwise the next one is made with it.
   *
   * @param value null if the field goes
   */
  void remake(int id, String path, String value) {
    Document fields = Document.parse(document(id));
    fields.remove("_id");
    Object parsed = value == null ? null : Document.parse("{v: " + value + "}").get("v");
    if (path.equals("n.p")) {
      if (value != null) {
        fields.computeIfAbsent("n", unused -> new Document());
        fields.get("n", Document.class).put("p", parsed);
      } else if (fields.containsKey("n")) {
        fields.get("n", Document.class).remove("p");
      }
    } else if (value == null) {
      fields.remove(path);
    } else {
      fields.put(path, parsed);
    }
    String json = fields.toJson();
    made.put(id, json.substring(1, json.length() - 1));
  }

  String next() {
    return switch (random.nextInt(11)) {
      case 9 -> output();
      case 0 -> batch("insert", "documents", () -> document(anyId()));
      case 1, 2, 3 -> batch("update", "updates", this::update);
      case 4 -> batch("delete", "deletes", this::delete);
      case 5, 6 ->
          "{findAndModify: 'c', query: %s, sort: %s, update: %s, new: %s%s}"
              .formatted(
                  reads.filter(),
                  reads.sort(),
                  change(),
                  random.nextBoolean(),
                  documents.pick(
                      "",
                      ", fields: {k: 1, s: 1, t: 1}",
                      ", fields: {a: {$slice: 1}, z: {$add: ['$_id', 1]}}",
                      ", fields: {b: 0, n: 0}"));
      case 10 ->
          "{findAndModify: 'c', query: %s, update: {$inc: {s: 1}}, upsert: true, new: %s}"
              .formatted(made(), random.nextBoolean());
      case 7 ->
          "{findAndModify: 'c', query: %s, sort: %s, remove: true}"
              .formatted(reads.filter(), reads.sort());
      default -> upsert();
    };
  }

  /** A write that a transaction may have. */
  String inTransaction() {
    String command = next();
    while (command.startsWith("{aggregate")) {
      command = next();
    }
    return command;
  }

  private String batch(String command, String field, Supplier<String> statement) {
    var statements = new ArrayList<String>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      statements.add(statement.get());
    }
    // What fails in an unordered batch of several shards may depend on what came before.
    boolean ordered = !command.equals("insert") || random.nextBoolean();
    return "{%s: 'c', %s: [%s], ordered: %s}"
        .formatted(command, field, String.join(", ", statements), ordered);
  }

  private String change() {
    return switch (random.nextInt(10)) {
      case 0 -> "{$push: {a: %s}}".formatted(documents.small());
      case 1 ->
          "{$push: {b: {$each: [%s, {x: %s}], $slice: -3, $sort: 1}}}"
              .formatted(documents.small(), documents.small());
      case 2 -> "{$addToSet: {a: %s}, $min: {t: 2}}".formatted(documents.scalar());
      case 3 -> "{$pull: {a: %s}}".formatted(documents.scalar());
      case 4 -> "{$rename: {s: 't'}}";
      case 5 -> "{$bit: {s: {or: 4}}, $max: {z: %s}}".formatted(documents.scalar());
      default -> changeOfAny();
    };
  }

  /** One that no document refuses: how many have been changed before a failure is chance. */
  private String changeOfAny() {
    return documents.pick(
        "{$inc: {s: 1}}",
        "{$set: {t: %s}}".formatted(documents.small()),
        "{$unset: {s: 1}}",
        "{$set: {a: %s, b: %s}}".formatted(documents.value(), documents.value()),
        "{$mul: {'n.q': 2}}",
        "{$min: {s: %s}, $setOnInsert: {z: 1}}".formatted(documents.small()),
        "[{$set: {t: {$add: [{$ifNull: ['$t', 0]}, 1]}}}]",
        "[{$set: {b: ['$s', '$t'], a: {$cond: [{$isArray: '$a'}, {$size: '$a'}, '$k']}}}, {$unset:"
            + " 'z'}]",
        "[{$replaceWith: {$mergeObjects: ['$$ROOT', {z: {$type: '$b'}}]}}]");
  }

  private String update() {
    return switch (random.nextInt(8)) {
      case 0 -> "{q: {_id: %d}, u: %s}".formatted(anyId(), change());
      case 6 ->
          "{q: {_id: %d, 'a.x': {$gte: %s}}, u: {$set: {'a.$.y': 9}}}"
              .formatted(anyId(), documents.small());
      case 7 ->
          "{q: {$and: [%s, {$expr: {$gte: ['$s', '$$v']}}]}, u: [{$set: {z: {$add: ['$s', '$$c']}}}], c: {c: 3}, multi: true}"
              .replace("'$$v'", documents.small())
              .formatted(reads.filter());
      case 4 ->
          "{q: {_id: %d}, u: {$set: {'%s.$[e].y': %s}}, arrayFilters: [{'e.x': {$gte: %s}}]}"
              .formatted(anyId(), documents.pick("a", "b"), documents.small(), documents.small());
      case 5 ->
          "{q: %s, u: %s, multi: true, hint: {_id: 1}, collation: {locale: 'en', strength: 2}}"
              .formatted(reads.filter(), changeOfAny());
      case 1 -> "{q: %s, u: %s, sort: %s}".formatted(reads.filter(), change(), reads.sort());
      case 2 -> replacement();
      default -> "{q: %s, u: %s, multi: true}".formatted(reads.filter(), changeOfAny());
    };
  }

  /** By the document as it was made, so that its shard key stays. */
  private String replacement() {
    int id = anyId();
    String before = document(id);
    Document fields = Document.parse(before);
    fields.append("s", random.nextInt(5)).append("r", true);
    return "{q: {_id: %d}, u: %s, upsert: %s}".formatted(id, fields.toJson(), random.nextBoolean());
  }

  /** Results that go into another collection. */
  private String output() {
    String target =
        random.nextInt(4) == 0
            ? "{$out: 'w'}"
            : "{$merge: {into: 't', whenMatched: %s, whenNotMatched: '%s'}}"
                .formatted(
                    documents.pick(
                        "'replace'", "'merge'", "'keepExisting'", "[{$set: {z: '$$new.s'}}]"),
                    documents.pick("insert", "discard"));
    return "{aggregate: 'c', pipeline: [{$match: %s}, {$project: {k: 1, s: 1, a: 1}}, %s], cursor: {}}"
        .formatted(reads.filter(), target);
  }

  private String upsert() {
    return "{update: 'c', updates: [{q: %s, u: {$inc: {s: 1}}, upsert: true}]}".formatted(made());
  }

  /** A document by its id and all fields that can be shard keys. */
  private String made() {
    return made(anyId());
  }

  /** A document by its id and what it has of shard keys, also after changes of other fields. */
  String keyed(int id) {
    Document fields = Document.parse(document(id));
    var query = new Document("_id", id);
    for (String name : List.of("k", "m")) {
      if (fields.containsKey(name)) {
        query.append(name, fields.get(name));
      }
    }
    Document nested = fields.get("n", new Document());
    if (nested.containsKey("p")) {
      query.append("n.p", nested.get("p"));
    }
    return query.toJson();
  }

  private String made(int id) {
    Document fields = Document.parse(document(id));
    var query = new Document("_id", id);
    for (String name : List.of("k", "m", "n")) {
      if (fields.containsKey(name)) {
        query.append(name, fields.get(name));
      }
    }
    return query.toJson();
  }

  private String delete() {
    return switch (random.nextInt(4)) {
      case 0 -> "{q: {$and: [%s, %s]}, limit: 0}".formatted(reads.filter(), reads.filter());
      case 1 ->
          "{q: {$and: [%s, {_id: {$gt: %d}}]}, limit: 0, hint: {_id: 1}, collation: %s}"
              .formatted(
                  reads.filter(),
                  made.size() / 2,
                  documents.pick("{locale: 'en', strength: 1}", "{locale: 'simple'}"));
      default -> "{q: {_id: %d}, limit: 1}".formatted(anyId());
    };
  }
}
