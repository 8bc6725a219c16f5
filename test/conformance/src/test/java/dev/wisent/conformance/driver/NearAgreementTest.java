package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The first documents by distance against all distances, sorted. Places stand close together in a
 * few towns, some of them on the same spot, and far apart elsewhere, so that what a search learns
 * about one neighbourhood is wrong in the next.
 */
@ExtendWith(DriverFixture.Extension.class)
class NearAgreementTest {
  private static final double EARTH_RADIUS_METERS = 6_378_100;
  private static final int PLACES = 3000;
  private static final int TOWNS = 6;
  private static final int QUERIES = 40;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final List<List<Double>> towns = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();

  private record Place(int number, int kind, List<List<Double>> points) {
    double distance(List<Double> center, boolean sphere) {
      return points.stream()
          .mapToDouble(point -> sphere ? meters(point, center) : flat(point, center))
          .min()
          .orElseThrow();
    }
  }

  private static double flat(List<Double> a, List<Double> b) {
    return Math.hypot(a.get(0) - b.get(0), a.get(1) - b.get(1));
  }

  private static double meters(List<Double> a, List<Double> b) {
    double height = Math.sin(Math.toRadians(a.get(1) - b.get(1)) / 2);
    double width = Math.sin(Math.toRadians(a.get(0) - b.get(0)) / 2);
    double square =
        height * height
            + Math.cos(Math.toRadians(a.get(1)))
                * Math.cos(Math.toRadians(b.get(1)))
                * width
                * width;
    return 2 * Math.asin(Math.sqrt(Math.min(1, square))) * EARTH_RADIUS_METERS;
  }

  private List<Double> point() {
    if (random.nextInt(10) == 0) {
      return List.of(random.nextDouble() * 360 - 180, random.nextDouble() * 160 - 80);
    }
    List<Double> town = towns.get(random.nextInt(TOWNS));
    double spread = random.nextInt(8) == 0 ? 0 : 0.2;
    return List.of(
        Math.clamp(town.get(0) + random.nextGaussian() * spread, -180, 180),
        Math.clamp(town.get(1) + random.nextGaussian() * spread, -90, 90));
  }

  private MongoCollection<Document> filled(DriverFixture fixture) {
    System.out.println("NearAgreementTest seed " + seed);
    towns.add(List.of(20.0, 89.95));
    towns.add(List.of(180.0, -40.0));
    while (towns.size() < TOWNS) {
      towns.add(List.of(random.nextDouble() * 360 - 180, random.nextDouble() * 160 - 80));
    }
    var documents = new ArrayList<Document>();
    for (int i = 0; i < PLACES; i++) {
      var points = new ArrayList<>(List.of(point()));
      if (random.nextInt(5) == 0) {
        points.add(point());
      }
      places.add(new Place(i, random.nextInt(3), points));
      documents.add(
          new Document("_id", i)
              .append("kind", places.getLast().kind)
              .append("pairs", points)
              .append("loc", geometry(points)));
    }
    MongoCollection<Document> collection = fixture.collection("places");
    collection.createIndex(Indexes.geo2dsphere("loc"));
    collection.createIndex(Indexes.geo2d("pairs"));
    collection.insertMany(documents);
    return collection;
  }

  private static Document geometry(List<List<Double>> points) {
    return points.size() == 1
        ? new Document("type", "Point").append("coordinates", points.getFirst())
        : new Document("type", "MultiPoint").append("coordinates", points);
  }

  private record Search(List<Double> center, boolean sphere, double min, double max, int kind) {
    boolean wants(Place place) {
      double distance = place.distance(center, sphere);
      return distance >= min && distance <= max && (kind < 0 || place.kind == kind);
    }
  }

  private Search search(boolean sphere) {
    List<Double> center = point();
    double reach = Math.pow(10, random.nextDouble() * 5 - 2) * (sphere ? 111_000 : 1);
    double max = random.nextBoolean() ? Double.MAX_VALUE : reach;
    double min = random.nextInt(3) == 0 ? reach * random.nextDouble() : 0;
    return new Search(center, sphere, min, max, random.nextInt(-2, 3));
  }

  private void check(MongoCollection<Document> collection, Document near, Search search) {
    int limit = List.of(1, 20, 150, PLACES).get(random.nextInt(4));
    String field = near.containsKey("$near") && !search.sphere ? "pairs" : "loc";
    Document filter = new Document(field, near);
    // A range in front of the place: keys are then not in the order of cells.
    filter.append(
        "kind", search.kind >= 0 ? search.kind : new Document("$gte", 0).append("$lt", 9));
    double[] expected =
        places.stream()
            .filter(search::wants)
            .mapToDouble(place -> place.distance(search.center, search.sphere))
            .sorted()
            .limit(limit)
            .toArray();
    List<Integer> found =
        collection
            .find(filter)
            .limit(limit)
            .batchSize(70)
            .map(document -> document.getInteger("_id"))
            .into(new ArrayList<>());
    String description = "seed " + seed + ": " + filter.toJson() + " limit " + limit;
    assertThat(found).as(description).doesNotHaveDuplicates().hasSameSizeAs(expected);
    double[] distances =
        found.stream()
            .mapToDouble(id -> places.get(id).distance(search.center, search.sphere))
            .toArray();
    // Haversines lose some of the eighth digit on the other side of the earth.
    double error = search.sphere ? 1 : 1e-9;
    for (int i = 0; i < expected.length; i++) {
      assertThat(distances[i]).as(description + ", " + i).isCloseTo(expected[i], within(error));
    }
    assertThat(DoubleStream.of(distances).sum())
        .as(description)
        .isCloseTo(DoubleStream.of(expected).sum(), within(error * limit));
  }

  @Test
  void theNearestOfTownsAndDesertsOnTheSphere(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);
    for (int i = 0; i < QUERIES; i++) {
      if (i == QUERIES / 3) {
        collection.dropIndex(Indexes.geo2dsphere("loc"));
        collection.createIndex(
            Indexes.compoundIndex(Indexes.geo2dsphere("loc"), Indexes.descending("kind")));
      }
      if (i == 2 * QUERIES / 3) {
        collection.dropIndex("loc_2dsphere_kind_-1");
        collection.createIndex(
            Indexes.compoundIndex(Indexes.descending("kind"), Indexes.geo2dsphere("loc")));
      }
      Search search = search(true);
      check(
          collection,
          new Document(
              "$near",
              new Document("$geometry", geometry(List.of(search.center)))
                  .append("$minDistance", search.min)
                  .append("$maxDistance", search.max)),
          search);
    }
  }

  @Test
  void theNearestOfTownsAndDesertsOnThePlane(DriverFixture fixture) {
    MongoCollection<Document> collection = filled(fixture);
    for (int i = 0; i < QUERIES; i++) {
      Search search = search(false);
      check(
          collection,
          new Document("$near", search.center)
              .append("$minDistance", search.min)
              .append("$maxDistance", search.max),
          search);
    }
  }

  /** A few hundred documents on one spot must not make the search read the rest of the world. */
  @Test
  void onlyDocumentsThatMayBeNextAreRead(DriverFixture fixture) {
    filled(fixture);
    for (int i = 0; i < QUERIES; i++) {
      Document near = new Document("$near", new Document("$geometry", geometry(List.of(point()))));
      Document find =
          new Document("find", "places")
              .append("filter", new Document("loc", near))
              .append("limit", 5);
      Document explained =
          fixture
              .database()
              .runCommand(new Document("explain", find).append("verbosity", "executionStats"));
      Document report = explained.get("executionStats", Document.class);
      // Each shard tells the nearest that it has.
      assertThat(report.getInteger("nReturned")).isEqualTo(5 * Plans.runs(explained).size());
      assertThat(report.get("executionStages", Document.class).toJson())
          .contains("\"stage\": \"GEO_NEAR_2DSPHERE\"", "searchIntervals");
      assertThat(report.getInteger("totalKeysExamined")).as("seed " + seed).isLessThan(2 * PLACES);
      assertThat(report.getInteger("totalDocsExamined")).as("seed " + seed).isLessThan(PLACES / 4);
    }
  }
}
