package dev.wisent.conformance.sharding;

import java.util.random.RandomGenerator;

/** Random searches of places and words in the collection {@code c}, as JSON. */
final class RandomSearches {
  private final RandomGenerator random;
  private final RandomDocuments documents;

  RandomSearches(RandomGenerator random, RandomDocuments documents) {
    this.random = random;
    this.documents = documents;
  }

  /** The indexes that they need. */
  static String indexes() {
    return "{createIndexes: 'c', indexes: [{key: {g: '2dsphere'}, name: 'g', collation: {locale:"
        + " 'simple'}}, {key: {w: 'text'}, name: 'w', collation: {locale: 'simple'}}]}";
  }

  private String point() {
    return "{type: 'Point', coordinates: [%d, %d]}".formatted(random.nextInt(5), random.nextInt(5));
  }

  /** The first stage of a pipeline, after which documents have an {@code _id} of their own. */
  String stage(String filter) {
    return switch (random.nextInt(4)) {
      case 0, 1 ->
          "{$geoNear: {near: %s, distanceField: 'd', spherical: true, key: 'g', query: %s%s}}"
              .formatted(point(), filter, near());
      case 2 -> "{$match: {$and: [%s, %s]}}".formatted(words(), filter);
      default -> "{$match: %s}, {$set: {d: {$meta: 'textScore'}}}".formatted(words());
    };
  }

  private String near() {
    return documents.pick(
        "",
        ", maxDistance: 200000",
        ", minDistance: 100000, maxDistance: 400000",
        ", distanceMultiplier: 0.001",
        ", includeLocs: 'l'");
  }

  private String words() {
    return "{$text: {$search: '%s'}}"
        .formatted(documents.pick("apple", "pear plum", "apple -plum", "\\\"apple pear\\\""));
  }

  /** A find in an order that leaves no choice, or in none. */
  RandomReads.Read find(String filter) {
    return switch (random.nextInt(4)) {
      case 0 ->
          new RandomReads.Read(
              "{find: 'c', filter: {$and: [%s, %s]}, sort: {d: {$meta: 'textScore'}, _id: 1}, projection: {d: {$meta: 'textScore'}, k: 1}, limit: %d, batchSize: 3}"
                  .formatted(words(), filter, 1 + random.nextInt(20)),
              true);
      case 1 ->
          new RandomReads.Read(
              "{find: 'c', filter: {g: {$geoWithin: {$centerSphere: [[%d, %d], 0.04]}}}, sort: {_id: 1}}"
                  .formatted(random.nextInt(5), random.nextInt(5)),
              true);
      case 2 ->
          new RandomReads.Read(
              "{find: 'c', filter: {$and: [%s, {g: {$nearSphere: {$geometry: %s, $maxDistance: 300000}}}]}, batchSize: 4}"
                  .formatted(filter, point()),
              false);
      default ->
          new RandomReads.Read(
              "{count: 'c', query: {g: {$geoIntersects: {$geometry: {type: 'Polygon', coordinates:"
                  + " [[[0, 0], [3, 0], [3, 3], [0, 3], [0, 0]]]}}}}}",
              true);
    };
  }
}
