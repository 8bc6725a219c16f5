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

  RandomWriteCommands(RandomGenerator random, RandomDocuments documents, RandomReads reads) {
    this.random = random;
    this.documents = documents;
    this.reads = reads;
  }

  /** An insert of documents that are new. */
  String fill(int count) {
    var inserted = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      inserted.add(document(made.size()));
    }
    return "{insert: 'c', documents: [%s]}".formatted(String.join(", ", inserted));
  }

  private String document(int id) {
    String fields = made.computeIfAbsent(id, unused -> documents.fields());
    return "{_id: %d%s%s}".formatted(id, fields.isEmpty() ? "" : ", ", fields);
  }

  private int anyId() {
    return random.nextInt(made.size() + 3);
  }

  String next() {
    return switch (random.nextInt(11)) {
      case 9 -> output();
      case 0 -> batch("insert", "documents", () -> document(anyId()));
      case 1, 2, 3 -> batch("update", "updates", this::update);
      case 4 -> batch("delete", "deletes", this::delete);
      case 5, 6 ->
          "{findAndModify: 'c', query: %s, sort: %s, update: %s, new: %s}"
              .formatted(reads.filter(), reads.sort(), change(), random.nextBoolean());
      case 10 ->
          "{findAndModify: 'c', query: %s, update: {$inc: {s: 1}}, upsert: true, new: %s}"
              .formatted(made(), random.nextBoolean());
      case 7 ->
          "{findAndModify: 'c', query: %s, sort: %s, remove: true}"
              .formatted(reads.filter(), reads.sort());
      default -> upsert();
    };
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
    return random.nextInt(5) == 0 ? "{$push: {a: %s}}".formatted(documents.small()) : changeOfAny();
  }

  /** One that no document refuses: how many have been changed before a failure is chance. */
  private String changeOfAny() {
    return documents.pick(
        "{$inc: {s: 1}}",
        "{$set: {t: %s}}".formatted(documents.small()),
        "{$unset: {s: 1}}",
        "{$set: {a: %s, b: %s}}".formatted(documents.value(), documents.value()),
        "{$mul: {'n.q': 2}}",
        "[{$set: {t: {$add: [{$ifNull: ['$t', 0]}, 1]}}}]");
  }

  private String update() {
    return switch (random.nextInt(4)) {
      case 0 -> "{q: {_id: %d}, u: %s}".formatted(anyId(), change());
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
    int id = anyId();
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
    return random.nextInt(3) > 0
        ? "{q: {_id: %d}, limit: 1}".formatted(anyId())
        : "{q: {$and: [%s, %s]}, limit: 0}".formatted(reads.filter(), reads.filter());
  }
}
