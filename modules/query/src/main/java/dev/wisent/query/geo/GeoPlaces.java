package dev.wisent.query.geo;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathValues;
import java.util.function.Consumer;

/** The places that a document has at a path: one, or several in an array. */
final class GeoPlaces {
  private GeoPlaces() {}

  /** A place and the value that it was read from. */
  record Place(GeoValue value, RawValue source) {}

  static void forEach(RawDocument document, FieldPath path, Consumer<Place> action) {
    PathValues.forEach(document, path, value -> add(value, action));
  }

  private static void add(RawValue value, Consumer<Place> action) {
    GeoValue place = GeoValue.parseOrNull(value);
    if (place != null) {
      action.accept(new Place(place, value));
    } else if (value.isArray()) {
      ElementCursor elements = value.elements();
      while (elements.next()) {
        GeoValue one = GeoValue.parseOrNull(elements.value());
        if (one != null) {
          action.accept(new Place(one, elements.value()));
        }
      }
    }
  }
}
