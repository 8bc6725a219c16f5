package dev.wisent.query.geo;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.List;

/** The cells that an index divides its world into; keys are the cells that places touch. */
public sealed interface GeoCells permits SphereCells, FlatCells {
  /** The cells of a {@code 2dsphere} index with these options. */
  static GeoCells ofSphere(RawDocument spec) {
    return SphereCells.of(spec);
  }

  /** The cells of a {@code 2d} index with these options. */
  static GeoCells ofPlane(RawDocument spec) {
    return FlatCells.of(spec);
  }

  /**
   * The keys of all places that may be in an area, or meet it; null if the index knows nothing
   * about such areas.
   */
  List<GeoKeyRange> ranges(GeoArea area, boolean within);

  /** Whether a search by distance can be done here. */
  boolean fits(NearQuery near);

  /**
   * The way from near to far.
   *
   * @param inOrder whether keys will be read in the order of cells
   */
  NearCells around(NearQuery near, boolean inOrder);

  /** The keys of a place, as the index has them. */
  List<RawValue> keys(RawValue place, String field, RawDocument document);
}
