package dev.wisent.query.geo;

import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Polyline;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.ArrayList;
import java.util.List;

/** Reads GeoJSON, with MongoDB's errors for what is none. */
final class GeoJson {
  private static final String COORDINATES = "coordinates";

  private final List<S2Point> points = new ArrayList<>();
  private final List<S2Polyline> lines = new ArrayList<>();
  private final List<S2Polygon> polygons = new ArrayList<>();

  private GeoJson() {}

  static boolean isPoint(RawDocument geometry) {
    return type(geometry).equals("Point");
  }

  /** The name of the type; empty where there is none. */
  private static String type(RawDocument geometry) {
    RawValue type = geometry.get("type");
    return type != null && type.isString() ? type.asString() : "";
  }

  /** A point, whose type may be left out. */
  static FlatPoint parsePoint(RawDocument geometry) {
    if (geometry.get("type") != null && !isPoint(geometry)) {
      String type = type(geometry);
      throw GeoErrors.badValue(
          "Expected geojson geometry with type Point, but got type "
              + (isKnown(type) ? type : "unknown"));
    }
    ReferenceSystem.check(geometry);
    FlatPoint point = FlatPoint.parse(geometry.get(COORDINATES), true);
    if (!point.isOnSphere()) {
      throw GeoErrors.outOfBounds(point.x(), point.y());
    }
    return point;
  }

  private static boolean isKnown(String type) {
    return switch (type) {
      case "Point",
          "LineString",
          "Polygon",
          "MultiPoint",
          "MultiLineString",
          "MultiPolygon",
          "GeometryCollection" ->
          true;
      default -> false;
    };
  }

  static SphereArea parse(RawDocument geometry) {
    String type = type(geometry);
    if (!isKnown(type)) {
      throw GeoErrors.badValue("unknown GeoJSON type: " + ValueText.of(geometry));
    }
    if (type.equals("Polygon") && ReferenceSystem.isStrictWinding(geometry)) {
      return StrictPolygon.of(GeoJsonPolygons.parseStrict(geometry.get(COORDINATES)));
    }
    var parser = new GeoJson();
    if (type.equals("GeometryCollection")) {
      parser.addCollection(geometry.get("geometries"));
    } else {
      parser.add(type, geometry);
    }
    return new SphereShape(parser.points, parser.lines, parser.polygons);
  }

  private void add(String type, RawDocument geometry) {
    if (type.equals("Point")) {
      points.add(parsePoint(geometry).onSphere());
      return;
    }
    ReferenceSystem.check(geometry);
    RawValue coordinates = geometry.get(COORDINATES);
    switch (type) {
      case "LineString" -> lines.add(line(coordinates));
      case "Polygon" -> polygons.add(GeoJsonPolygons.parse(coordinates));
      case "MultiPoint" -> {
        points.addAll(vertices(coordinates));
        requireSome(type, points);
      }
      case "MultiLineString" -> {
        members(type, coordinates).forEach(member -> lines.add(line(member)));
        requireSome(type, lines);
      }
      case "MultiPolygon" -> {
        members(type, coordinates).forEach(member -> polygons.add(GeoJsonPolygons.parse(member)));
        requireSome(type, polygons);
      }
      default -> throw new IllegalStateException("not a type of GeoJSON: " + type);
    }
  }

  private static void requireSome(String type, List<?> parts) {
    if (parts.isEmpty()) {
      throw GeoErrors.badValue(type + " coordinates must have at least 1 element");
    }
  }

  private static List<RawValue> members(String type, RawValue coordinates) {
    if (coordinates == null || !coordinates.isArray()) {
      throw GeoErrors.badValue(
          type + " coordinates must be an array, " + GeoErrors.insteadGot(coordinates));
    }
    return elements(coordinates);
  }

  static List<RawValue> elements(RawValue array) {
    var elements = new ArrayList<RawValue>();
    ElementCursor cursor = array.elements();
    while (cursor.next()) {
      elements.add(cursor.value());
    }
    return elements;
  }

  private void addCollection(RawValue geometries) {
    if (geometries == null || !geometries.isArray()) {
      throw GeoErrors.badValue(
          "GeometryCollection geometries must be an array, " + GeoErrors.insteadGot(geometries));
    }
    List<RawValue> members = elements(geometries);
    if (members.isEmpty()) {
      throw GeoErrors.badValue("GeometryCollection geometries must have at least 1 element");
    }
    for (int i = 0; i < members.size(); i++) {
      addMember(i, members.get(i));
    }
  }

  private void addMember(int index, RawValue member) {
    if (!member.isDocument()) {
      throw GeoErrors.badValue(
          "Element "
              + index
              + " of \"geometries\" must be an object, "
              + GeoErrors.insteadGot(member)
              + ": "
              + ValueText.of(member));
    }
    String type = type(member.asDocument());
    if (!isKnown(type)) {
      throw GeoErrors.badValue("Unknown GeoJSON type: " + ValueText.of(member));
    }
    if (type.equals("GeometryCollection")) {
      throw GeoErrors.badValue("GeometryCollections cannot be nested: " + ValueText.of(member));
    }
    add(type, member.asDocument());
  }

  private static S2Polyline line(RawValue coordinates) {
    List<S2Point> vertices = withoutRepeats(vertices(coordinates));
    if (vertices.size() < 2) {
      throw GeoErrors.badValue(
          "GeoJSON LineString must have at least 2 vertices, instead got "
              + vertices.size()
              + " vertices: "
              + ValueText.of(coordinates));
    }
    return new S2Polyline(vertices);
  }

  /** The points of an array of coordinates. */
  static List<S2Point> vertices(RawValue coordinates) {
    if (coordinates == null || !coordinates.isArray()) {
      throw GeoErrors.badValue(
          "GeoJSON coordinates must be an array of coordinates, "
              + GeoErrors.insteadGot(coordinates));
    }
    var vertices = new ArrayList<S2Point>();
    ElementCursor elements = coordinates.elements();
    while (elements.next()) {
      RawValue element = elements.value();
      if (!element.isArray()) {
        throw GeoErrors.badValue(
            "GeoJSON coordinates must be an array, " + GeoErrors.insteadGot(element));
      }
      vertices.add(FlatPoint.parse(element, true).onSphere());
    }
    return vertices;
  }

  /** The same points, those left out that repeat the one before. */
  static List<S2Point> withoutRepeats(List<S2Point> vertices) {
    var different = new ArrayList<S2Point>(vertices.size());
    for (S2Point vertex : vertices) {
      if (different.isEmpty() || !different.getLast().equalsPoint(vertex)) {
        different.add(vertex);
      }
    }
    return different;
  }
}
