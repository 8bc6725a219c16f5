package dev.wisent.query.geo;

import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.List;

/** The loops of polygons: closed, not crossing, one around all others. */
final class GeoJsonPolygons {
  private static final int VERTICES_MIN = 3;

  private GeoJsonPolygons() {}

  static S2Polygon parse(RawValue coordinates) {
    if (coordinates == null || !coordinates.isArray()) {
      throw GeoErrors.badValue(
          "Polygon coordinates must be an array, " + GeoErrors.insteadGot(coordinates));
    }
    var loops = new ArrayList<S2Loop>();
    RawValue exterior = null;
    ElementCursor elements = coordinates.elements();
    while (elements.next()) {
      RawValue ring = elements.value();
      exterior = exterior == null ? ring : exterior;
      S2Loop loop = loop(ring, ring);
      loop.normalize();
      if (!loops.isEmpty() && !loops.getFirst().contains(loop)) {
        throw GeoErrors.badValue(
            "Secondary loops not contained by first exterior loop - secondary loops must be"
                + " holes: "
                + ValueText.of(ring)
                + " first loop: "
                + ValueText.of(exterior));
      }
      loops.add(loop);
    }
    if (loops.isEmpty()) {
      throw GeoErrors.badValue("Polygon has no loops.");
    }
    return polygon(loops, coordinates);
  }

  private static S2Polygon polygon(List<S2Loop> loops, RawValue coordinates) {
    String text = ValueText.of(coordinates);
    int given = loops.size();
    // The library takes the loops out of the list.
    var polygon = new S2Polygon(new ArrayList<>(loops));
    var error = new S2Error();
    if (given > 1 && polygon.findValidationError(error)) {
      throw GeoErrors.badValue("Polygon isn't valid: " + error.text() + " " + text);
    }
    if (!polygon.isNormalized()) {
      throw GeoErrors.badValue(sharedVertices(polygon) + ": " + text);
    }
    for (int i = 0; i < polygon.numLoops(); i++) {
      if (polygon.loop(i).depth() > 1) {
        throw GeoErrors.badValue("Polygon interior loops cannot be nested: " + text);
      }
    }
    return polygon;
  }

  private static String sharedVertices(S2Polygon polygon) {
    for (int i = 0; i < polygon.numLoops(); i++) {
      int parent = polygon.getParent(i);
      if (parent >= 0 && shared(polygon.loop(i), polygon.loop(parent)) > 1) {
        return "Loop " + i + " shares more than one vertex with its parent loop " + parent;
      }
    }
    return "Loops share more than one vertex";
  }

  private static long shared(S2Loop loop, S2Loop parent) {
    return loop.vertices().stream()
        .filter(vertex -> parent.vertices().stream().anyMatch(vertex::equalsPoint))
        .count();
  }

  /** The one loop of a polygon with strict winding order, as it is wound. */
  static S2Loop parseStrict(RawValue coordinates) {
    if (coordinates == null || !coordinates.isArray()) {
      throw GeoErrors.badValue(
          "Coordinates of polygon must be an array, " + GeoErrors.insteadGot(coordinates));
    }
    List<RawValue> rings = GeoJson.elements(coordinates);
    if (rings.size() != 1) {
      throw GeoErrors.badValue(
          "Only one simple loop is allowed in a big polygon, instead provided "
              + rings.size()
              + " loops: "
              + ValueText.of(coordinates));
    }
    return loop(rings.getFirst(), coordinates);
  }

  /**
   * @param quoted what errors quote
   */
  private static S2Loop loop(RawValue ring, RawValue quoted) {
    List<S2Point> vertices = GeoJson.vertices(ring);
    if (vertices.isEmpty()) {
      throw GeoErrors.badValue("Loop has no vertices: " + ValueText.of(ring));
    }
    if (!vertices.getFirst().equalsPoint(vertices.getLast())) {
      throw GeoErrors.badValue(
          "Loop is not closed, first vertex does not equal last vertex: " + ValueText.of(ring));
    }
    vertices = GeoJson.withoutRepeats(vertices);
    vertices.removeLast();
    if (vertices.size() < VERTICES_MIN) {
      throw GeoErrors.badValue(
          "Loop must have at least 3 different vertices, "
              + vertices.size()
              + " unique vertices were provided: "
              + ValueText.of(quoted));
    }
    return LoopCheck.checked(vertices, quoted);
  }
}
