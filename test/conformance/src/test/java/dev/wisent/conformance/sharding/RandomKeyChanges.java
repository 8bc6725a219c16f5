package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * Random updates of fields that can be shard keys, as JSON. They name their document, so that it is
 * known which keys it has from then on.
 */
final class RandomKeyChanges {
  private final RandomGenerator random;
  private final RandomDocuments documents;
  private final RandomWriteCommands writes;

  RandomKeyChanges(RandomGenerator random, RandomDocuments documents, RandomWriteCommands writes) {
    this.random = random;
    this.documents = documents;
    this.writes = writes;
  }

  String next() {
    return switch (random.nextInt(5)) {
      case 0 -> findAndModify();
      case 1 -> bulkWrite();
      default -> batch();
    };
  }

  /** What fails is the last statement of an ordered batch, so that all others are executed. */
  private String batch() {
    boolean ordered = random.nextInt(3) > 0;
    List<Integer> ids = writes.someIds(2 + random.nextInt(4));
    var statements = new ArrayList<String>();
    for (int i = 0; i < ids.size(); i++) {
      int id = ids.get(i);
      boolean mayFail = !ordered || i == ids.size() - 1;
      statements.add(
          switch (random.nextInt(6)) {
            case 0 -> "{q: {_id: %d}, u: {$set: %s}, upsert: true}".formatted(id, allKeys(id));
            case 1 ->
                mayFail
                    ? "{q: {_id: %d}, u: {$set: {_id: -1}}}".formatted(id)
                    : "{q: {_id: %d}, u: {$inc: {s: 1}}}".formatted(id);
            default -> "{q: %s, u: %s}".formatted(query(id), change(id));
          });
    }
    return "{update: 'c', updates: [%s], ordered: %s}"
        .formatted(String.join(", ", statements), ordered);
  }

  private String findAndModify() {
    int id = writes.anyId();
    String query = query(id);
    return "{findAndModify: 'c', query: %s, update: %s, new: %s%s}"
        .formatted(
            query,
            change(id),
            random.nextBoolean(),
            random.nextBoolean() ? ", fields: {k: 1, 'n.p': 1}" : "");
  }

  private String bulkWrite() {
    boolean ordered = random.nextBoolean();
    List<Integer> ids = writes.someIds(1 + random.nextInt(4));
    var operations = new ArrayList<String>();
    for (int i = 0; i < ids.size(); i++) {
      int id = ids.get(i);
      boolean mayFail = !ordered || i == ids.size() - 1;
      operations.add(
          switch (random.nextInt(mayFail ? 5 : 3)) {
            case 0 -> "{delete: 0, filter: {_id: %d}}".formatted(id);
            case 3 -> "{insert: 0, document: %s}".formatted(writes.document(id));
            case 4 -> "{update: 0, filter: {_id: %d}, updateMods: {$set: {_id: -1}}}".formatted(id);
            default -> "{update: 0, filter: %s, updateMods: %s}".formatted(query(id), change(id));
          });
    }
    return "{bulkWrite: 1, ops: [%s], nsInfo: [{ns: '%s.c'}], ordered: %s, errorsOnly: %s}"
        .formatted(String.join(", ", operations), writes.database(), ordered, random.nextBoolean());
  }

  /** Often without the shard key. */
  private String query(int id) {
    return random.nextBoolean() ? "{_id: %d}".formatted(id) : writes.keyed(id);
  }

  private String change(int id) {
    String field = documents.pick("k", "m", "n.p");
    String value = documents.scalar();
    switch (random.nextInt(5)) {
      case 0 -> {
        writes.remake(id, field, null);
        return "{$unset: {'%s': 1}, $inc: {s: 1}}".formatted(field);
      }
      case 1 -> {
        writes.remake(id, field, value);
        return "[{$set: {'%s': {$literal: %s}, z: 1}}]".formatted(field, value);
      }
      case 2 -> {
        writes.remake(id, "m", value);
        String other = documents.scalar();
        writes.remake(id, "k", other);
        return "{$set: {m: %s, k: %s}}".formatted(value, other);
      }
      default -> {
        writes.remake(id, field, value);
        return "{$set: {'%s': %s}}".formatted(field, value);
      }
    }
  }

  private String allKeys(int id) {
    var keys = new Document();
    for (String field : List.of("k", "m")) {
      String value = documents.scalar();
      writes.remake(id, field, value);
      keys.append(field, Document.parse("{v: " + value + "}").get("v"));
    }
    String value = documents.scalar();
    writes.remake(id, "n.p", value);
    keys.append("n.p", Document.parse("{v: " + value + "}").get("v"));
    return keys.toJson();
  }
}
