package dev.wisent.query.geo;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The cells of a {@code 2d} index: a square, halved again and again in both directions. A key is
 * the way to a cell, a bit of x and a bit of y in turn from the highest on, as eight bytes.
 */
record FlatCells(int bits, double min, double max) implements GeoCells {
  static final int HASH_BITS = Long.SIZE;

  private static final int BITS = 26;
  private static final int BITS_MAX = 32;
  private static final double BOUND = 180;
  private static final double BUCKETS = 4.0 * 1024 * 1024 * 1024;
  private static final long BITS_OF_X = 0xAAAAAAAAAAAAAAAAL;
  private static final long BITS_OF_Y = 0x5555555555555555L;
  private static final byte CUSTOM_SUBTYPE = (byte) 128;

  static FlatCells of(RawDocument spec) {
    double bits = number(spec, "bits", BITS);
    if (bits < 1 || bits > BITS_MAX) {
      throw invalid(
          "bits for hash must be > 0 and <= 32, but " + (long) bits + " bits were specified");
    }
    double min = number(spec, "min", -BOUND);
    double max = number(spec, "max", BOUND);
    if (!(min < max) || Double.isInfinite(min) || Double.isInfinite(max)) {
      throw invalid(
          "region for hash must be valid and have positive area, but ["
              + GeoErrors.number(min)
              + ", "
              + GeoErrors.number(max)
              + "] was specified");
    }
    double scaling = BUCKETS / (max - min);
    if (!(scaling > 0) || Double.isInfinite(scaling)) {
      throw invalid(
          "range [" + GeoErrors.number(min) + ", " + GeoErrors.number(max) + "] is too small.");
    }
    return new FlatCells((int) bits, min, max);
  }

  private static double number(RawDocument spec, String option, double otherwise) {
    RawValue value = spec.get(option);
    return value == null ? otherwise : value.toDouble();
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }

  @Override
  public List<RawValue> keys(RawValue place, String field, RawDocument document) {
    if ((!place.isArray() && !place.isDocument()) || place.asDocument().isEmpty()) {
      return List.of();
    }
    if (FlatPoint.startsWithNumber(place)) {
      return List.of(key(point(place, document)));
    }
    var keys = new ArrayList<RawValue>();
    ElementCursor elements = place.elements();
    while (elements.next()) {
      RawValue element = elements.value();
      if (!element.isArray() && !element.isDocument()) {
        throw new CommandException(
            ErrorCode.GEO_LOCATION_EXPECTED,
            "location object expected, location array not in correct format");
      }
      if (!element.asDocument().isEmpty()) {
        keys.add(key(point(element, document)));
      }
    }
    return keys;
  }

  private long point(RawValue pair, RawDocument document) {
    ElementCursor elements = pair.elements();
    elements.next();
    RawValue x = elements.value();
    if (!elements.next()) {
      throw malformed(
          ErrorCode.GEO_FIELD_ONE_ELEMENT, "geo field only has 1 element", ValueText.of(document));
    }
    RawValue y = elements.value();
    if (!x.isNumber() || !y.isNumber()) {
      throw malformed(
          ErrorCode.GEO_FIELD_NOT_NUMERIC,
          "geo values must be 'legacy coordinate pairs' for 2d indexes",
          ValueText.of(document));
    }
    var point = new FlatPoint(x.toDouble(), y.toDouble());
    if (!isWithin(point)) {
      throw malformed(ErrorCode.GEO_POINT_OUT_OF_BOUNDS, outOfBounds(), ValueText.of(document));
    }
    return hash(point);
  }

  private static CommandException malformed(ErrorCode code, String message, String cause) {
    return new CommandException(code, message + " :: caused by :: " + cause);
  }

  private String outOfBounds() {
    return "point not in interval of [ "
        + GeoErrors.number(min)
        + ", "
        + GeoErrors.number(max)
        + " ]";
  }

  private boolean isWithin(FlatPoint point) {
    return point.x() >= min && point.x() <= max && point.y() >= min && point.y() <= max;
  }

  /** Throws where a search would begin outside. */
  void requireWithin(FlatPoint center) {
    if (!isWithin(center)) {
      throw malformed(
          ErrorCode.GEO_CENTER_OUT_OF_BOUNDS,
          outOfBounds(),
          "[ " + center.x() + ", " + center.y() + " ]");
    }
  }

  long hash(FlatPoint point) {
    long x = bucket(point.x());
    long y = bucket(point.y());
    long hash = 0;
    for (int bit = 0; bit < bits; bit++) {
      int shift = BITS_MAX - 1 - bit;
      hash = hash << 2 | (x >>> shift & 1) << 1 | (y >>> shift & 1);
    }
    return hash << (2 * (BITS_MAX - bits));
  }

  /** The bits of a hash that tell one place in a cell of a level from another. */
  static long below(int level) {
    return level * 2 == HASH_BITS ? 0 : -1L >>> (level * 2);
  }

  /** The part of the plane that a cell of a level has. */
  FlatBox box(long hash, int level) {
    double edge = Math.scalb(max - min, -level);
    double x = min + (Long.compress(hash, BITS_OF_X) >>> (BITS_MAX - level)) * edge;
    double y = min + (Long.compress(hash, BITS_OF_Y) >>> (BITS_MAX - level)) * edge;
    return new FlatBox(x, y, x + edge, y + edge);
  }

  /** The middle of one of the smallest cells. */
  FlatPoint middle(long hash) {
    return box(hash, bits).middle();
  }

  /** Which of the smallest cells a coordinate falls into; the upper end belongs to the last one. */
  private long bucket(double coordinate) {
    return Math.min((long) ((coordinate - min) * (BUCKETS / (max - min))), (long) BUCKETS - 1);
  }

  static RawValue key(long hash) {
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES + 1 + Long.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(Long.BYTES)
            .put(CUSTOM_SUBTYPE)
            .order(ByteOrder.BIG_ENDIAN)
            .putLong(hash)
            .array();
    return new RawValue(ElementType.BINARY, bytes, 0, bytes.length);
  }

  @Override
  public List<GeoKeyRange> ranges(GeoArea area, boolean within) {
    if (!within) {
      return null;
    }
    FlatBox bounds =
        switch (area) {
          case FlatArea flat -> flat.bounds();
          case SphereCap cap -> SphereBounds.of(cap.cap());
          case SphereShape ignored -> null;
          case StrictPolygon ignored -> null;
        };
    return bounds == null ? null : FlatCovering.of(this, bounds);
  }

  @Override
  public boolean fits(NearQuery near) {
    return near.fitsFlatIndex();
  }

  @Override
  public NearCells around(NearQuery near, boolean inOrder) {
    requireWithin(near.center());
    return new FlatNearCells(near, this, inOrder);
  }
}
