package dev.wisent.cluster.router.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Write commands whose effect does not depend on where documents are: an {@code _id} belongs to one
 * value of {@code k}, the shard key; a write of one document names it, or says by its sort which
 * one it is.
 */
final class RandomWrites {
  static final int KEYS = 30;
  private static final int NO_KEY = KEYS;

  private final Random random;

  RandomWrites(long seed) {
    this.random = new Random(seed);
  }

  /** A command on the collection {@code c}, as JSON. */
  String next() {
    return switch (random.nextInt(8)) {
      case 0, 1 -> batch("insert", "documents", true, this::document);
      case 2, 3 -> batch("update", "updates", true, this::update);
      case 4 -> batch("update", "updates", false, this::targetedUpdate);
      case 5 -> batch("delete", "deletes", random.nextBoolean(), this::delete);
      case 6 -> findAndUpdate();
      default -> findAndRemove();
    };
  }

  private String batch(
      String command, String field, boolean mayBeOrdered, Supplier<String> statement) {
    var statements = new ArrayList<String>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      statements.add(statement.get());
    }
    boolean ordered = mayBeOrdered && (command.equals("update") || random.nextBoolean());
    return "{%s: 'c', %s: [%s], ordered: %s}"
        .formatted(command, field, String.join(", ", statements), ordered);
  }

  private int key() {
    return random.nextInt(KEYS + 1);
  }

  private static int id(int key, int number) {
    return number * 100 + key;
  }

  private static String keyField(int key) {
    return key == NO_KEY ? "" : ", k: " + key;
  }

  private static String keyFilter(int key) {
    return key == NO_KEY ? "k: null" : "k: " + key;
  }

  private String document() {
    int key = key();
    return "{_id: %d%s, x: %d, y: %d}"
        .formatted(id(key, random.nextInt(3)), keyField(key), random.nextInt(4), random.nextInt(9));
  }

  private String change() {
    return switch (random.nextInt(6)) {
      case 0 -> "{$inc: {y: 1}}";
      case 1 -> "{$set: {x: %d}}".formatted(random.nextInt(4));
      case 2 -> "{$unset: {y: 1}}";
      case 3 -> "{$push: {a: %d}}".formatted(random.nextInt(9));
      case 4 -> "[{$set: {y: {$add: [{$ifNull: ['$y', 0]}, 2]}}}]";
      default -> "{$set: {'x.bad': 1}}"; // fails where x is a number
    };
  }

  private String targetedUpdate() {
    int key = key();
    int id = id(key, random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> "{q: {_id: %d, %s}, u: %s}".formatted(id, keyFilter(key), change());
      case 1 -> "{q: {%s}, u: %s, multi: true}".formatted(keyFilter(key), change());
      case 2 ->
          "{q: {_id: %d, %s}, u: {$set: {x: 3}}, upsert: true}"
              .formatted(id, key == NO_KEY ? "k: {$exists: false}" : keyFilter(key));
      default -> "{q: {x: %d}, u: %s, multi: true}".formatted(random.nextInt(4), change());
    };
  }

  private String update() {
    int key = key();
    int id = id(key, random.nextInt(3));
    return switch (random.nextInt(6)) {
      case 0 -> "{q: {_id: %d}, u: %s}".formatted(id, change());
      case 1 -> "{q: {x: %d}, u: %s, sort: {y: 1, _id: 1}}".formatted(random.nextInt(4), change());
      case 2 -> "{q: {_id: %d}, u: {$set: {x: 1%s}}, upsert: true}".formatted(id, keyField(key));
      case 3 -> "{q: {_id: %d}, u: {x: 2%s}, upsert: true}".formatted(id, keyField(key));
      default -> targetedUpdate();
    };
  }

  private String delete() {
    int key = key();
    int id = id(key, random.nextInt(3));
    return switch (random.nextInt(4)) {
      case 0 -> "{q: {_id: %d}, limit: 1}".formatted(id);
      case 1 -> "{q: {_id: %d, %s}, limit: 1}".formatted(id, keyFilter(key));
      case 2 -> "{q: {%s}, limit: 0}".formatted(keyFilter(key));
      default ->
          "{q: {x: %d, y: {$gt: %d}}, limit: 0}".formatted(random.nextInt(4), random.nextInt(9));
    };
  }

  private String filter() {
    int key = key();
    return switch (random.nextInt(3)) {
      case 0 -> "{_id: %d}".formatted(id(key, random.nextInt(3)));
      case 1 -> "{%s}".formatted(keyFilter(key));
      default -> "{x: %d}".formatted(random.nextInt(4));
    };
  }

  private String findAndUpdate() {
    return "{findAndModify: 'c', query: %s, sort: {y: 1, _id: 1}, update: %s, new: %s}"
        .formatted(filter(), change(), random.nextBoolean());
  }

  private String findAndRemove() {
    return "{findAndModify: 'c', query: %s, sort: {y: 1, _id: 1}, remove: true}"
        .formatted(filter());
  }

  /** Where chunks begin; shards have them in turn. */
  List<Integer> bounds() {
    return random.ints(1, KEYS).distinct().limit(2 + random.nextInt(6)).sorted().boxed().toList();
  }
}
