package dev.wisent.query.geo;

import com.google.common.geometry.S2Point;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What {@code $near} and its kin ask for: documents by their distance from a point.
 *
 * @param center where from; longitude and latitude where {@code onSphere}
 * @param onSphere whether distances are on the sphere rather than on the plane
 * @param inRadians whether distances on the sphere are angles rather than meters
 * @param wrapping whether the search has to go around the sphere, which a 2d index cannot
 * @param minDistance the least distance, inclusive
 * @param maxDistance the greatest distance, inclusive
 */
public record NearQuery(
    FieldPath path,
    FlatPoint center,
    boolean onSphere,
    boolean inRadians,
    boolean wrapping,
    double minDistance,
    double maxDistance) {

  /** Reads {@code {$near: …}} with what stands beside it. */
  public static NearQuery parse(FieldPath path, RawDocument operators) {
    return NearArgument.parse(path, operators);
  }

  /** Whether an index of places on the sphere can be asked. */
  public boolean fitsSphereIndex() {
    return onSphere;
  }

  /** Whether an index of places on the plane can be asked. */
  public boolean fitsFlatIndex() {
    return !wrapping;
  }

  S2Point centerOnSphere() {
    return center.onSphere();
  }

  /** The place of a document that is nearest, and how far it is. */
  public record Found(double distance, RawValue place) {}

  /** Null where the document has no place, or none within the distances that are asked for. */
  public Found nearest(RawDocument document) {
    var nearest = new AtomicReference<Found>();
    GeoPlaces.forEach(
        document, path, place -> nearest.accumulateAndGet(found(place), this::nearer));
    Found found = nearest.get();
    return found != null && found.distance >= minDistance && found.distance <= maxDistance
        ? found
        : null;
  }

  private Found nearer(Found a, Found b) {
    return a == null || (b != null && b.distance < a.distance) ? b : a;
  }

  private Found found(GeoPlaces.Place place) {
    double distance = distance(place.value());
    return Double.isNaN(distance) ? null : new Found(distance, place.source());
  }

  private double distance(GeoValue value) {
    if (!onSphere) {
      return value.distance(center);
    }
    double radians = value.distanceRadians(centerOnSphere());
    return inRadians ? radians : radians * SphereDistance.EARTH_RADIUS_METERS;
  }

  /** An angle that is not less than a distance. */
  double toRadians(double distance) {
    return inRadians ? distance : distance / SphereDistance.EARTH_RADIUS_METERS;
  }

  double fromRadians(double radians) {
    return inRadians ? radians : radians * SphereDistance.EARTH_RADIUS_METERS;
  }

  static boolean isNear(String operator) {
    return operator.equals("$near")
        || operator.equals("$nearSphere")
        || operator.equals("$geoNear");
  }

  /** Whether operators on a field begin with one that this reads as a whole. */
  public static boolean isNear(RawDocument operators) {
    ElementCursor elements = operators.elements();
    return elements.next()
        && isNear(elements.name())
        && (elements.value().isDocument() || elements.value().isArray());
  }
}
