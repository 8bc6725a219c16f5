package dev.wisent.bench.data;

import java.util.List;

/** Receives the fields of one document in order. */
public interface FieldSink {
  void string(String name, String value);

  void int32(String name, int value);

  void int64(String name, long value);

  /** Milliseconds since 1970. */
  void date(String name, long millis);

  void float64(String name, double value);

  void bool(String name, boolean value);

  /** A point on the earth: GeoJSON in BSON, a pair of numbers in JSON. */
  void point(String name, double longitude, double latitude);

  void strings(String name, List<String> values);

  /** Opens a nested document; {@link #endDocument} closes it. */
  void startDocument(String name);

  void endDocument();
}
