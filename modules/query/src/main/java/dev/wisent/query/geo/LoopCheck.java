package dev.wisent.query.geo;

import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueText;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether the edges of a loop leave each other alone; if not, in MongoDB's words. */
final class LoopCheck {
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private LoopCheck() {}

  static S2Loop checked(List<S2Point> vertices, RawValue quoted) {
    var loop = new S2Loop(vertices);
    var error = new S2Error();
    if (loop.findValidationError(error)) {
      throw GeoErrors.badValue(
          "Loop is not valid: " + ValueText.of(quoted) + " " + text(error, vertices));
    }
    return loop;
  }

  private static String text(S2Error error, List<S2Point> vertices) {
    var places = new HashMap<S2Point, Integer>();
    for (int i = 0; i < vertices.size(); i++) {
      Integer before = places.putIfAbsent(vertices.get(i), i);
      if (before != null) {
        return "Duplicate vertices: %d and %d".formatted(before, i);
      }
    }
    Matcher numbers = NUMBER.matcher(error.text());
    int first = numbers.find() ? Integer.parseInt(numbers.group()) : vertices.size();
    int second = numbers.find() ? Integer.parseInt(numbers.group()) : vertices.size();
    boolean crossing =
        error.code() == S2Error.Code.LOOP_SELF_INTERSECTION
            && Math.max(first, second) < vertices.size();
    return crossing
        ? "Edges %d and %d cross. Edge locations in degrees: %s and %s"
            .formatted(first, second, edge(vertices, first), edge(vertices, second))
        : error.text();
  }

  private static String edge(List<S2Point> vertices, int from) {
    return place(vertices.get(from)) + "-" + place(vertices.get((from + 1) % vertices.size()));
  }

  private static String place(S2Point point) {
    var place = new S2LatLng(point);
    return String.format(Locale.ROOT, "[%.7f, %.7f]", place.latDegrees(), place.lngDegrees());
  }
}
