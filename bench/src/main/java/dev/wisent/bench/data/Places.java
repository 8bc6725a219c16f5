package dev.wisent.bench.data;

import java.util.SplittableRandom;

/**
 * Documents with a point on the earth. Most lie around a few hundred towns, as people do, the rest
 * anywhere between the polar circles.
 */
public final class Places {
  public static final String LOCATION = "location";

  private static final int TOWNS = 300;
  private static final double TOWN_DEGREES = 0.2;
  private static final double LATITUDE_MAX = 66;

  private final long seed;

  public Places(long seed) {
    this.seed = seed;
  }

  /** Longitude and latitude. */
  public record Point(double longitude, double latitude) {}

  public BenchDocument document(long number) {
    return new Place(number);
  }

  /** A point that is distributed as the documents are. */
  public Point point(SplittableRandom random) {
    if (random.nextInt(10) == 0) {
      return anywhere(random);
    }
    Point town = anywhere(SeededText.random(seed, -1 - random.nextInt(TOWNS)));
    return new Point(
        Math.clamp(town.longitude + random.nextGaussian() * TOWN_DEGREES, -180, 180),
        town.latitude + random.nextGaussian() * TOWN_DEGREES);
  }

  private static Point anywhere(SplittableRandom random) {
    return new Point(random.nextDouble() * 360 - 180, (random.nextDouble() * 2 - 1) * LATITUDE_MAX);
  }

  private final class Place implements BenchDocument {
    private final long number;

    Place(long number) {
      this.number = number;
    }

    @Override
    public String id() {
      return DocumentGenerator.id(number);
    }

    @Override
    public void writeFields(FieldSink sink) {
      SplittableRandom random = SeededText.random(seed, number);
      Point point = point(random);
      sink.point(LOCATION, point.longitude, point.latitude);
      sink.string("name", "place " + number);
      sink.int64("number", number);
    }
  }
}
