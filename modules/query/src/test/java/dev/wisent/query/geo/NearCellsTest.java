package dev.wisent.query.geo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What cells a search by distance reads, against all distances sorted. Places stand in towns, at
 * the poles and at the date line, some of them many on one spot, and far apart elsewhere.
 */
class NearCellsTest {
  private static final FieldPath PATH = FieldPath.of("a");
  private static final int QUERIES = 120;

  private final long seed = Long.getLong("wisent.seed", 1);
  private final Random random = new Random(seed);
  private final List<double[]> towns = new ArrayList<>();

  /** An index, and what can be in it and asked of it. */
  private enum World {
    SPHERE_POINTS("{}", true),
    SPHERE_SHAPES("{}", true),
    SPHERE_COARSE("{finestIndexedLevel: 9, coarsestIndexedLevel: 1}", true),
    PLANE("{}", false),
    PLANE_ON_SPHERE("{}", false),
    PLANE_FINE("{bits: 32, min: -1000, max: 1000}", false),
    PLANE_COARSE("{bits: 5, min: -200, max: 200}", false);

    final RawDocument options;
    final boolean sphere;

    World(String options, boolean sphere) {
      this.options = RawDocument.parse(options);
      this.sphere = sphere;
    }

    GeoCells cells() {
      return sphere ? GeoCells.ofSphere(options) : GeoCells.ofPlane(options);
    }
  }

  private double[] anywhere() {
    return new double[] {random.nextDouble() * 360 - 180, random.nextDouble() * 180 - 90};
  }

  private double[] point() {
    if (towns.isEmpty()) {
      towns.add(new double[] {17, 90});
      towns.add(new double[] {-60, -89.9});
      towns.add(new double[] {180, 10});
      towns.add(new double[] {-180, -45});
      towns.add(new double[] {45, 0});
      towns.add(anywhere());
      towns.add(anywhere());
    }
    if (random.nextInt(8) == 0) {
      return anywhere();
    }
    double[] town = towns.get(random.nextInt(towns.size()));
    double spread = random.nextInt(6) == 0 ? 0 : random.nextBoolean() ? 0.2 : 0.001;
    return new double[] {
      around(town[0] + random.nextGaussian() * spread),
      Math.clamp(town[1] + random.nextGaussian() * spread, -90, 90)
    };
  }

  private static double around(double longitude) {
    return longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  }

  private static String pair(double[] point) {
    return String.format(Locale.ROOT, "[%s, %s]", point[0], point[1]);
  }

  private String place(World world) {
    double[] point = point();
    String pair = pair(point);
    if (!world.sphere) {
      return random.nextInt(6) == 0 ? "[" + pair + ", " + pair(point()) + "]" : pair;
    }
    double size = Math.pow(10, random.nextInt(5) - 4);
    double x = around(point[0] + size);
    double y = Math.clamp(point[1] + size * (random.nextDouble() + 0.1), -89, 89.99);
    int kind = world == World.SPHERE_POINTS ? 0 : random.nextInt(5);
    return switch (kind) {
      case 1 -> geometry("LineString", "[" + pair + ", " + pair(new double[] {x, y}) + "]");
      case 2 -> geometry("MultiPoint", "[" + pair + ", " + pair(point()) + "]");
      case 3 -> {
        double low = Math.clamp(point[1], -89, 88);
        String corners =
            List.of(
                    pair(new double[] {point[0], low}),
                    pair(new double[] {x, low}),
                    pair(new double[] {x, low + size}),
                    pair(new double[] {point[0], low + size}),
                    pair(new double[] {point[0], low}))
                .toString();
        yield geometry("Polygon", "[" + corners + "]");
      }
      default -> random.nextBoolean() ? pair : geometry("Point", pair);
    };
  }

  private static String geometry(String type, String coordinates) {
    return "{type: '" + type + "', coordinates: " + coordinates + "}";
  }

  private NearQuery query(World world, double[] center) {
    double reach = Math.pow(10, random.nextDouble() * 6 - 4);
    String distances =
        (random.nextInt(3) == 0 ? ", $minDistance: " + unit(world, reach * 0.7) : "")
            + (random.nextInt(3) == 0 ? ", $maxDistance: " + unit(world, reach) : "");
    String query =
        switch (world) {
          case SPHERE_POINTS, SPHERE_SHAPES, SPHERE_COARSE ->
              "{$near: {$geometry: " + geometry("Point", pair(center)) + distances + "}}";
          case PLANE_ON_SPHERE -> "{$nearSphere: " + pair(center) + distances + "}";
          case PLANE, PLANE_FINE, PLANE_COARSE -> "{$near: " + pair(center) + distances + "}";
        };
    return NearQuery.parse(PATH, RawDocument.parse(query));
  }

  /** Meters, radians or units of the plane for so many degrees. */
  private static double unit(World world, double degrees) {
    return world.sphere
        ? degrees * 111_000
        : world == World.PLANE_ON_SPHERE ? Math.toRadians(degrees) : degrees;
  }

  /** What a search has to come to: the numbers of documents, the nearest and least first. */
  private static List<Integer> sorted(List<RawDocument> documents, NearQuery near, int limit) {
    record Found(int number, double distance) {}
    var all = new ArrayList<Found>();
    for (int i = 0; i < documents.size(); i++) {
      NearQuery.Found found = near.nearest(documents.get(i));
      if (found != null) {
        all.add(new Found(i, found.distance()));
      }
    }
    all.sort(Comparator.comparingDouble(Found::distance).thenComparing(Found::number));
    return all.stream().limit(limit).map(Found::number).toList();
  }

  private List<RawDocument> documents(World world, int count) {
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < count; i++) {
      documents.add(RawDocument.parse("{_id: " + i + ", a: " + place(world) + "}"));
    }
    return documents;
  }

  @ParameterizedTest
  @EnumSource
  void theNearestComeFirst(World world) {
    for (int size : List.of(0, 3, 60, 600)) {
      List<RawDocument> documents = documents(world, size);
      for (boolean inOrder : List.of(true, false)) {
        var index = new NearIndex(world.cells(), documents, inOrder ? 1 : 7);
        for (int i = 0; i < QUERIES / 4; i++) {
          double[] center = point();
          NearQuery near = query(world, center);
          int limit = List.of(1, 20, 300, size).get(random.nextInt(4));
          assertThat(index.search(near, inOrder, limit).found())
              .as("seed %d, %s near %s, %s", seed, world, pair(center), near)
              .isEqualTo(sorted(documents, near, limit));
        }
      }
    }
  }

  /** From an empty place the first keys that are met may be those of a crowd. */
  @Test
  void aTownIsNotReadAsAWhole() {
    List<RawDocument> documents = documents(World.SPHERE_POINTS, 4000);
    var index = new NearIndex(World.SPHERE_POINTS.cells(), documents, 1);
    int keys = 0;
    int seeks = 0;
    for (int i = 0; i < QUERIES; i++) {
      String center = geometry("Point", pair(anywhere()));
      NearQuery near =
          NearQuery.parse(PATH, RawDocument.parse("{$near: {$geometry: " + center + "}}"));
      NearIndex.Outcome outcome = index.search(near, true, 20);
      keys += outcome.keys();
      seeks += outcome.seeks();
      assertThat(outcome.keys()).as("seed %d, near %s", seed, center).isLessThan(2000);
    }
    assertThat(keys / QUERIES).as("seed %d", seed).isLessThan(250);
    assertThat(seeks / QUERIES).as("seed %d", seed).isLessThan(100);
  }
}
