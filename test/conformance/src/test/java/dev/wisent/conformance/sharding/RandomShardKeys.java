package dev.wisent.conformance.sharding;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.bson.Document;

/** Random shard keys, and where their chunks begin. */
final class RandomShardKeys {
  private static final String[] KEYS = {
    "{k: 1}",
    "{_id: 1}",
    "{'n.p': 1}",
    "{k: 1, m: 1}",
    "{m: 1, 'n.p': 1, _id: 1}",
    "{k: 'hashed'}",
    "{_id: 'hashed'}",
    "{k: 1, m: 'hashed'}",
    "{m: 'hashed', k: 1}"
  };

  /** Values in their order. */
  private static final String[] BOUNDS = {
    "null",
    "0",
    "1",
    "2",
    "2.5",
    "3",
    "4",
    "6",
    "9",
    "20",
    "45",
    "'A'",
    "'a'",
    "'b'",
    "'ba'",
    "{x: 1}",
    "{x: 2, y: 1}",
    "true",
    "{$date: 2}"
  };

  private final RandomGenerator random;

  RandomShardKeys(RandomGenerator random) {
    this.random = random;
  }

  Document key() {
    return Document.parse(KEYS[random.nextInt(KEYS.length)]);
  }

  /** Bounds in their order, each with all fields of the key. */
  List<Document> bounds(Document key) {
    var chosen = new TreeSet<List<Integer>>(RandomShardKeys::compare);
    for (int i = 1 + random.nextInt(7); i > 0; i--) {
      var bound = new ArrayList<Integer>();
      key.values().forEach(kind -> bound.add(random.nextInt(BOUNDS.length)));
      chosen.add(bound);
    }
    return chosen.stream().map(bound -> bound(key, bound)).toList();
  }

  private static int compare(List<Integer> one, List<Integer> other) {
    for (int i = 0; i < one.size(); i++) {
      int compared = Integer.compare(one.get(i), other.get(i));
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static Document bound(Document key, List<Integer> places) {
    var bound = new Document();
    int i = 0;
    for (var field : key.entrySet()) {
      int place = places.get(i++);
      bound.append(
          field.getKey(),
          field.getValue().equals("hashed")
              ? Long.valueOf((place - BOUNDS.length / 2) * 900_000_000_000_000_000L)
              : Document.parse("{v: " + BOUNDS[place] + "}").get("v"));
    }
    return bound;
  }
}
