package dev.wisent.query.geo;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Projections;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionCoverer;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The cells of a {@code 2dsphere} index, version 3: those of the S2 library, as 64-bit integers. A
 * point has its smallest cell; other shapes are covered by some cells of limited sizes. Numbers of
 * cells within a cell lie around its own, so an area is a range for each cell that covers it, and
 * the single keys of the cells around that.
 */
record SphereCells(int coarsest, int finest) implements GeoCells {
  /** MongoDB's sizes: for buildings, and for states. */
  private static final double FINEST_METERS = 110;

  private static final double COARSEST_METERS = 2_000_000;
  private static final int CELLS_MAX = 20;

  /** How finely an area of a query is covered, as in MongoDB. */
  private static final S2RegionCoverer QUERY_COVERER =
      S2RegionCoverer.builder().setMinLevel(0).setMaxLevel(23).setMaxCells(20).build();

  static SphereCells of(RawDocument spec) {
    int finest = (int) number(spec, "finestIndexedLevel", level(FINEST_METERS));
    int coarsest = (int) number(spec, "coarsestIndexedLevel", level(COARSEST_METERS));
    if (coarsest < 0) {
      throw new CommandException(
          ErrorCode.GEO_COARSEST_LEVEL_NEGATIVE, "coarsestIndexedLevel must be >= 0");
    }
    if (finest > S2CellId.MAX_LEVEL) {
      throw new CommandException(
          ErrorCode.GEO_FINEST_LEVEL_TOO_LARGE, "finestIndexedLevel must be <= 30");
    }
    if (finest < coarsest) {
      throw new CommandException(
          ErrorCode.GEO_LEVELS_CROSSED, "finestIndexedLevel must be >= coarsestIndexedLevel");
    }
    return new SphereCells(coarsest, finest);
  }

  private static long number(RawDocument spec, String option, int otherwise) {
    RawValue value = spec.get(option);
    return value == null ? otherwise : value.toLong();
  }

  /** The level whose cells are about as long as this. */
  static int level(double meters) {
    return S2Projections.PROJ.avgEdge.getClosestLevel(meters / SphereDistance.EARTH_RADIUS_METERS);
  }

  @Override
  public List<RawValue> keys(RawValue place, String field, RawDocument document) {
    try {
      GeoValue value = GeoValue.parse(place, field);
      SphereShape shape = value.shape();
      if (shape == null) {
        throw GeoErrors.badValue(
            "can't project geometry into spherical CRS: " + ValueText.of(place));
      }
      return shape.isPoint()
          ? List.of(key(S2CellId.fromPoint(shape.points().getFirst())))
          : cover(shape);
    } catch (CommandException e) {
      throw new CommandException(
          ErrorCode.GEO_KEYS_NOT_EXTRACTED,
          "Can't extract geo keys: " + ValueText.of(document) + "  " + e.getMessage());
    }
  }

  private List<RawValue> cover(SphereShape shape) {
    var coverer =
        S2RegionCoverer.builder()
            .setMinLevel(coarsest)
            .setMaxLevel(finest)
            .setMaxCells(CELLS_MAX)
            .build();
    var cells = new ArrayList<S2CellId>();
    coverer.getCovering(shape.region(), cells);
    return cells.stream().map(SphereCells::key).toList();
  }

  private static RawValue key(S2CellId cell) {
    return RawValue.ofInt64(cell.id());
  }

  @Override
  public List<GeoKeyRange> ranges(GeoArea area, boolean within) {
    if (!(area instanceof SphereArea onSphere)) {
      return null;
    }
    return ranges(covering(onSphere.region()));
  }

  static List<S2CellId> covering(S2Region region) {
    var cells = new ArrayList<S2CellId>();
    QUERY_COVERER.getCovering(region, cells);
    return cells;
  }

  /** The keys of all that touches some cells. */
  private List<GeoKeyRange> ranges(List<S2CellId> cells) {
    var ranges = new ArrayList<GeoKeyRange>();
    var around = new HashSet<S2CellId>();
    for (S2CellId cell : cells) {
      ranges.add(range(cell));
      for (int level = Math.min(cell.level() - 1, finest); level >= coarsest; level--) {
        S2CellId larger = cell.parent(level);
        if (!around.add(larger)) {
          break;
        }
        ranges.add(new GeoKeyRange(key(larger), key(larger)));
      }
    }
    return ranges;
  }

  /** The keys of all that is in a cell. */
  static GeoKeyRange range(S2CellId cell) {
    return new GeoKeyRange(key(cell.rangeMin()), key(cell.rangeMax()));
  }

  @Override
  public boolean fits(NearQuery near) {
    return near.fitsSphereIndex();
  }

  @Override
  public NearCells around(NearQuery near, boolean inOrder) {
    return new SphereNearCells(near, this, inOrder);
  }
}
