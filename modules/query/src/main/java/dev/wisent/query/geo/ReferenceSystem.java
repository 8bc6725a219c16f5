package dev.wisent.query.geo;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/** The {@code crs} of a geometry: which reference system its coordinates are of. */
final class ReferenceSystem {
  private static final String CRS84 = "urn:ogc:def:crs:OGC:1.3:CRS84";
  private static final String EPSG_4326 = "EPSG:4326";
  private static final String STRICT_WINDING = "urn:x-mongodb:crs:strictwinding:EPSG:4326";

  private ReferenceSystem() {}

  /** Throws where a geometry that is no polygon has another than the usual system. */
  static void check(RawDocument geometry) {
    if (isStrictWinding(geometry)) {
      throw GeoErrors.badValue("Strict winding order CRS is only supported by polygon");
    }
  }

  /** Whether the order of vertices says what is inside; throws if the system is unknown. */
  static boolean isStrictWinding(RawDocument geometry) {
    RawValue crs = geometry.get("crs");
    if (crs == null) {
      return false;
    }
    if (!crs.isDocument() && !crs.isArray()) {
      throw GeoErrors.badValue("GeoJSON CRS must be an object, " + GeoErrors.insteadGot(crs));
    }
    RawValue type = crs.asDocument().get("type");
    if (type == null || !type.isString() || !type.asString().equals("name")) {
      throw GeoErrors.badValue("GeoJSON CRS must have field \"type\": \"name\"");
    }
    RawValue properties = crs.asDocument().get("properties");
    if (properties == null || (!properties.isDocument() && !properties.isArray())) {
      throw GeoErrors.badValue(
          "CRS must have field \"properties\" which is an object, "
              + GeoErrors.insteadGot(properties));
    }
    RawValue name = properties.asDocument().get("name");
    if (name == null || !name.isString()) {
      throw GeoErrors.badValue(
          "In CRS, \"properties.name\" must be a string, " + GeoErrors.insteadGot(name));
    }
    return switch (name.asString()) {
      case CRS84, EPSG_4326 -> false;
      case STRICT_WINDING -> true;
      default -> throw GeoErrors.badValue("Unknown CRS name: " + name.asString());
    };
  }
}
