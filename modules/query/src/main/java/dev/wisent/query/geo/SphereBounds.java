package dev.wisent.query.geo;

import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2LatLngRect;

/** Caps of the sphere as boxes of longitudes and latitudes. */
final class SphereBounds {
  /** What degrees lose when they become radians and back. */
  private static final double ERROR_DEGREES = 1e-9;

  private static final double LONGITUDE_MAX = 180;

  private SphereBounds() {}

  /** A box with all points of a cap; all around the earth where it crosses the date line. */
  static FlatBox of(S2Cap cap) {
    S2LatLngRect rect = cap.getRectBound();
    boolean around = rect.lng().isInverted() || rect.lng().isFull();
    return new FlatBox(
        around ? -LONGITUDE_MAX : rect.lngLo().degrees() - ERROR_DEGREES,
        rect.latLo().degrees() - ERROR_DEGREES,
        around ? LONGITUDE_MAX : rect.lngHi().degrees() + ERROR_DEGREES,
        rect.latHi().degrees() + ERROR_DEGREES);
  }
}
