package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random places and areas: an index answers as a scan does, and distances only grow. */
@ExtendWith(DriverFixture.Extension.class)
class GeoAgreementTest {
  private static final int PLACES = 600;
  private static final int QUERIES = 120;
  private static final double EARTH_RADIUS_METERS = 6_378_100;

  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private double longitude() {
    return switch (random.nextInt(6)) {
      case 0 -> 180 - random.nextDouble();
      case 1 -> -180 + random.nextDouble();
      case 2 -> random.nextInt(-18, 19) * 10;
      default -> random.nextDouble() * 360 - 180;
    };
  }

  private double latitude() {
    return switch (random.nextInt(6)) {
      case 0 -> 90 - random.nextDouble();
      case 1 -> -90 + random.nextDouble();
      case 2 -> random.nextInt(-9, 10) * 10;
      default -> random.nextDouble() * 180 - 90;
    };
  }

  private static Document geometry(String type, Object coordinates) {
    return new Document("type", type).append("coordinates", coordinates);
  }

  private List<Double> around(double x, double y, double size) {
    return List.of(
        Math.clamp(x + (random.nextDouble() - 0.5) * size, -180, 180),
        Math.clamp(y + (random.nextDouble() - 0.5) * size, -90, 90));
  }

  /** At a pole or at the date line all points around one may be the same, which is no line. */
  private List<List<Double>> line(double x, double y) {
    List<List<Double>> line;
    do {
      line = List.of(around(x, y, 9), around(x, y, 9), around(x, y, 9));
    } while (line.get(0).equals(line.get(1)) || Math.abs(line.get(0).get(1)) == 90);
    return line;
  }

  /** A small polygon: points around a center in the order of their angles. */
  private List<List<List<Double>>> ring(double size) {
    double x = random.nextDouble() * 340 - 170;
    double y = random.nextDouble() * 150 - 75;
    int corners = 3 + random.nextInt(5);
    var ring = new ArrayList<List<Double>>();
    for (int i = 0; i < corners; i++) {
      double angle = 2 * Math.PI * i / corners;
      double radius = size * (0.5 + random.nextDouble() / 2);
      ring.add(
          List.of(
              Math.clamp(x + radius * Math.cos(angle), -180, 180),
              Math.clamp(y + radius * Math.sin(angle), -89, 89)));
    }
    ring.add(ring.getFirst());
    return List.of(ring);
  }

  private Object place() {
    double x = longitude();
    double y = latitude();
    return switch (random.nextInt(8)) {
      case 0 -> List.of(x, y);
      case 1 -> new Document("lng", x).append("lat", y);
      case 2 -> geometry("LineString", line(x, y));
      case 3 -> geometry("Polygon", ring(Math.pow(10, random.nextDouble() * 3 - 2)));
      case 4 -> geometry("MultiPoint", List.of(around(x, y, 50), around(x, y, 50)));
      default -> geometry("Point", List.of(x, y));
    };
  }

  private Bson area(String field) {
    Document shape =
        switch (random.nextInt(3)) {
          case 0 ->
              new Document(
                  "$centerSphere",
                  List.of(
                      List.of(longitude(), latitude()), Math.pow(10, random.nextDouble() * 3 - 2)));
          case 1 -> new Document("$geometry", geometry("Polygon", ring(random.nextInt(1, 40))));
          default ->
              new Document(
                  "$geometry",
                  geometry("MultiPolygon", List.of(ring(10), ring(random.nextInt(1, 20)))));
        };
    boolean intersects = shape.containsKey("$geometry") && random.nextBoolean();
    return new Document(field, new Document(intersects ? "$geoIntersects" : "$geoWithin", shape));
  }

  private Bson flatArea() {
    Document shape =
        switch (random.nextInt(4)) {
          case 0 -> new Document("$box", List.of(pair(), pair()));
          case 1 -> new Document("$center", List.of(pair(), random.nextDouble() * 60));
          case 2 -> new Document("$centerSphere", List.of(pair(), random.nextDouble()));
          default -> new Document("$polygon", List.of(pair(), pair(), pair(), pair()));
        };
    return new Document("pair", new Document("$geoWithin", shape));
  }

  private List<Double> pair() {
    return List.of(longitude(), latitude());
  }

  private static Set<Integer> ids(FindIterable<Document> found) {
    var ids = new ArrayList<Integer>();
    found.forEach(document -> ids.add(document.getInteger("_id")));
    assertThat(ids).doesNotHaveDuplicates();
    return new HashSet<>(ids);
  }

  private MongoCollection<Document> filled(DriverFixture fixture) {
    System.out.println("GeoAgreementTest seed " + seed);
    MongoCollection<Document> places = fixture.collection("places");
    // Half of them are there before the indexes, half come later.
    places.insertMany(documents(0, PLACES / 2));
    places.createIndex(Indexes.geo2dsphere("loc"));
    places.createIndex(Indexes.compoundIndex(Indexes.ascending("n"), Indexes.geo2dsphere("loc")));
    places.createIndex(Indexes.geo2d("pair"));
    places.insertMany(documents(PLACES / 2, PLACES));
    for (int i = 0; i < PLACES / 10; i++) {
      Document id = new Document("_id", random.nextInt(PLACES));
      switch (random.nextInt(3)) {
        case 0 -> places.deleteOne(id);
        case 1 -> places.updateOne(id, Updates.set("loc", place()));
        default -> places.updateOne(id, Updates.set("pair", pair()));
      }
    }
    return places;
  }

  private List<Document> documents(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i -> {
              Document document = new Document("_id", i).append("n", random.nextInt(4));
              if (random.nextInt(20) > 0) {
                document.append("loc", place());
              }
              return random.nextInt(20) > 0
                  ? document.append(
                      "pair", random.nextInt(5) > 0 ? pair() : List.of(pair(), pair()))
                  : document;
            })
        .toList();
  }

  @Test
  void anIndexAnswersAsAScanDoes(DriverFixture fixture) {
    MongoCollection<Document> places = filled(fixture);
    Document natural = new Document("$natural", 1);
    for (int i = 0; i < QUERIES; i++) {
      Bson area = i % 2 == 0 ? area("loc") : flatArea();
      Bson filter =
          random.nextInt(3) == 0
              ? new Document("$and", List.of(area, new Document("n", random.nextInt(4))))
              : area;
      assertThat(ids(places.find(filter)))
          .as("seed %d: %s", seed, filter)
          .isEqualTo(ids(places.find(filter).hint(natural)));
    }
    Document report =
        fixture.database().runCommand(new Document("validate", "places").append("full", true));
    assertThat(report.getBoolean("valid")).as("seed %d: %s", seed, report).isTrue();
  }

  @Test
  void nearestFirstIsASortByDistance(DriverFixture fixture) {
    MongoCollection<Document> places = filled(fixture);
    for (int i = 0; i < QUERIES / 4; i++) {
      List<Double> center = pair();
      boolean sphere = random.nextBoolean();
      double max =
          random.nextInt(3) == 0 ? Double.MAX_VALUE : random.nextDouble() * (sphere ? 3 : 200);
      double min = random.nextInt(3) == 0 ? max * random.nextDouble() / 10 : 0;
      Document near =
          new Document(sphere ? "$nearSphere" : "$near", center)
              .append("$maxDistance", max)
              .append("$minDistance", min);
      Document filter = new Document("pair", near);
      if (random.nextInt(3) == 0) {
        filter.append("n", random.nextInt(4));
      }
      var found = new ArrayList<Document>();
      places.find(filter).batchSize(50).into(found);
      List<Double> distances =
          found.stream().map(document -> distance(document, center, sphere)).toList();
      for (int j = 1; j < distances.size(); j++) {
        assertThat(distances.get(j))
            .as("seed %d: %s, place %d", seed, filter, j)
            .isGreaterThanOrEqualTo(distances.get(j - 1) - 1e-9);
      }
      assertThat(found.stream().map(document -> document.getInteger("_id")).sorted().toList())
          .as("seed %d: %s", seed, filter)
          .isEqualTo(expected(places, filter, center, sphere, min, max));
    }
  }

  /** All kinds of geometries, by the distances that the server gives. */
  @Test
  void theStageGivesEveryPlaceOnce(DriverFixture fixture) {
    MongoCollection<Document> places = filled(fixture);
    List<Integer> all =
        places
            .find(new Document("loc", new Document("$exists", true)))
            .map(document -> document.getInteger("_id"))
            .into(new ArrayList<>());
    for (int i = 0; i < 10; i++) {
      Document stage =
          new Document("near", geometry("Point", pair()))
              .append("distanceField", "d")
              .append("key", "loc")
              .append("spherical", true);
      List<Document> found =
          places.aggregate(List.of(new Document("$geoNear", stage))).into(new ArrayList<>());
      assertThat(found)
          .extracting(document -> document.getDouble("d"))
          .as("seed " + seed)
          .isSorted();
      assertThat(found.getLast().getDouble("d"))
          .isLessThanOrEqualTo(Math.PI * EARTH_RADIUS_METERS * 1.000001);
      assertThat(found)
          .extracting(document -> document.getInteger("_id"))
          .as("seed " + seed)
          .containsExactlyInAnyOrderElementsOf(all);
    }
  }

  private static List<Integer> expected(
      MongoCollection<Document> places,
      Document filter,
      List<Double> center,
      boolean sphere,
      double min,
      double max) {
    var ids = new ArrayList<Integer>();
    Document others = filter.containsKey("n") ? new Document("n", filter.get("n")) : new Document();
    for (Document document : places.find(others).hint(new Document("$natural", 1))) {
      if (document.containsKey("pair")) {
        double distance = distance(document, center, sphere);
        if (distance >= min && distance <= max) {
          ids.add(document.getInteger("_id"));
        }
      }
    }
    ids.sort(null);
    return ids;
  }

  private static double distance(Document document, List<Double> center, boolean sphere) {
    List<?> pair = document.getList("pair", Object.class);
    if (pair.getFirst() instanceof List<?>) {
      return pair.stream()
          .mapToDouble(one -> distance((List<?>) one, center, sphere))
          .min()
          .orElseThrow();
    }
    return distance(pair, center, sphere);
  }

  private static double distance(List<?> pair, List<Double> center, boolean sphere) {
    double x = (double) pair.get(0);
    double y = (double) pair.get(1);
    if (!sphere) {
      return Math.hypot(x - center.get(0), y - center.get(1));
    }
    double height = Math.sin(Math.toRadians(y - center.get(1)) / 2);
    double width = Math.sin(Math.toRadians(x - center.get(0)) / 2);
    double square =
        height * height
            + Math.cos(Math.toRadians(y)) * Math.cos(Math.toRadians(center.get(1))) * width * width;
    return 2 * Math.asin(Math.sqrt(Math.min(1, square)));
  }
}
