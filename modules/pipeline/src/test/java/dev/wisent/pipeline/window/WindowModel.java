package dev.wisent.pipeline.window;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonNumber;
import org.bson.BsonValue;

/**
 * Window functions as one would write them down: each window is a list of documents with x, y, t
 * and u, and its function computes everything anew. A null result is a missing field.
 */
final class WindowModel {
  static final Map<String, Function<List<BsonDocument>, BsonValue>> FUNCTIONS = new TreeMap<>();

  static {
    FUNCTIONS.put("$sum: '$x'", window -> sum(numbers(window, "x")));
    FUNCTIONS.put("$count: {}", window -> new BsonInt32(window.size()));
    FUNCTIONS.put("$avg: '$x'", window -> average(numbers(window, "x")));
    FUNCTIONS.put("$min: '$x'", window -> orNull(sorted(window).stream().findFirst().orElse(null)));
    FUNCTIONS.put("$max: '$x'", window -> orNull(largest(window)));
    FUNCTIONS.put("$stdDevPop: '$x'", window -> deviation(doubles(window, "x"), 0));
    FUNCTIONS.put("$stdDevSamp: '$x'", window -> deviation(doubles(window, "x"), 1));
    FUNCTIONS.put("$push: '$x'", window -> new BsonArray(present(window)));
    FUNCTIONS.put("$first: '$t'", window -> end(window, 0, "t"));
    FUNCTIONS.put("$last: '$x'", window -> end(window, window.size() - 1, "x"));
    FUNCTIONS.put(
        "$firstN: {n: 3, input: '$x'}",
        window -> new BsonArray(withNulls(window.subList(0, Math.min(3, window.size())))));
    FUNCTIONS.put(
        "$lastN: {n: 2, input: '$x'}",
        window -> {
          int from = Math.max(0, window.size() - 2);
          return new BsonArray(withNulls(window.subList(from, window.size())));
        });
    FUNCTIONS.put(
        "$minN: {n: 2, input: '$t'}",
        window -> new BsonArray(times(window).stream().limit(2).toList()));
    FUNCTIONS.put(
        "$maxN: {n: 3, input: '$t'}",
        window -> new BsonArray(times(window).reversed().stream().limit(3).toList()));
    FUNCTIONS.put(
        "$top: {sortBy: {u: -1}, output: '$y'}",
        window -> ordered(window, true, 1).stream().findFirst().orElse(BsonNull.VALUE));
    FUNCTIONS.put(
        "$topN: {n: 3, sortBy: {u: 1}, output: '$y'}",
        window -> new BsonArray(ordered(window, false, 3)));
    FUNCTIONS.put(
        "$bottom: {sortBy: {u: 1}, output: '$y'}",
        window -> ordered(window, true, 1).stream().findFirst().orElse(BsonNull.VALUE));
    FUNCTIONS.put(
        "$bottomN: {n: 2, sortBy: {u: -1}, output: '$y'}",
        window -> new BsonArray(ordered(window, false, 2).reversed()));
    FUNCTIONS.put("$covariancePop: ['$x', '$y']", window -> covariance(window, 0));
    FUNCTIONS.put("$covarianceSamp: ['$x', '$y']", window -> covariance(window, 1));
    FUNCTIONS.put("$integral: {input: '$y'}", WindowModel::integral);
    FUNCTIONS.put("$derivative: {input: '$y'}", WindowModel::derivative);
  }

  private WindowModel() {}

  private static BsonValue end(List<BsonDocument> window, int at, String name) {
    return orNull(window.isEmpty() ? null : window.get(at).get(name));
  }

  private static List<BsonValue> present(List<BsonDocument> window) {
    return window.stream().filter(d -> d.containsKey("x")).map(d -> d.get("x")).toList();
  }

  private static List<BsonValue> withNulls(List<BsonDocument> window) {
    return window.stream().map(d -> d.get("x", BsonNull.VALUE)).toList();
  }

  private static List<BsonValue> times(List<BsonDocument> window) {
    return window.stream().map(d -> d.get("t")).toList();
  }

  private static List<BsonNumber> numbers(List<BsonDocument> window, String name) {
    return window.stream()
        .map(d -> d.get(name))
        .filter(BsonNumber.class::isInstance)
        .map(BsonNumber.class::cast)
        .toList();
  }

  private static double[] doubles(List<BsonDocument> window, String name) {
    return numbers(window, name).stream().mapToDouble(BsonNumber::doubleValue).toArray();
  }

  private static BsonValue sum(List<BsonNumber> numbers) {
    double sum = numbers.stream().mapToDouble(BsonNumber::doubleValue).sum();
    if (numbers.stream().anyMatch(BsonDouble.class::isInstance)) {
      return new BsonDouble(sum);
    }
    return numbers.stream().anyMatch(BsonInt64.class::isInstance)
        ? new BsonInt64((long) sum)
        : new BsonInt32((int) sum);
  }

  private static BsonValue average(List<BsonNumber> numbers) {
    return numbers.isEmpty()
        ? BsonNull.VALUE
        : new BsonDouble(
            numbers.stream().mapToDouble(BsonNumber::doubleValue).sum() / numbers.size());
  }

  /** Numbers before strings, which is all that there is; equal ones as they came. */
  private static List<BsonValue> sorted(List<BsonDocument> window) {
    return present(window).stream()
        .filter(v -> !v.isNull())
        .sorted(
            Comparator.comparing(BsonValue::isString)
                .thenComparing(v -> v.isString() ? 0 : v.asNumber().doubleValue())
                .thenComparing(v -> v.isString() ? v.asString().getValue() : ""))
        .toList();
  }

  private static BsonValue largest(List<BsonDocument> window) {
    List<BsonValue> sorted = sorted(window);
    return sorted.isEmpty() ? null : sorted.getLast();
  }

  private static BsonValue orNull(BsonValue value) {
    return value == null ? BsonNull.VALUE : value;
  }

  private static BsonValue deviation(double[] values, int less) {
    if (values.length - less <= 0) {
      return BsonNull.VALUE;
    }
    double mean = DoubleStream.of(values).average().orElseThrow();
    double squares = DoubleStream.of(values).map(v -> (v - mean) * (v - mean)).sum();
    return new BsonDouble(Math.sqrt(squares / (values.length - less)));
  }

  /** The outputs with the largest u, or with the smallest. */
  private static List<BsonValue> ordered(List<BsonDocument> window, boolean largest, int count) {
    var documents = new ArrayList<>(window);
    documents.sort(Comparator.comparing(d -> d.getInt32("u").getValue()));
    List<BsonDocument> order = largest ? documents.reversed() : documents;
    return order.stream().limit(count).map(d -> d.get("y")).toList();
  }

  private static BsonValue covariance(List<BsonDocument> window, int less) {
    List<BsonDocument> pairs =
        window.stream().filter(d -> d.get("x") instanceof BsonNumber).toList();
    int divisor = pairs.size() - less;
    if (divisor <= 0) {
      return BsonNull.VALUE;
    }
    double[] xs = doubles(pairs, "x");
    double[] ys = doubles(pairs, "y");
    double meanX = DoubleStream.of(xs).average().orElseThrow();
    double meanY = DoubleStream.of(ys).average().orElseThrow();
    double sum = 0;
    for (int i = 0; i < xs.length; i++) {
      sum += (xs[i] - meanX) * (ys[i] - meanY);
    }
    return new BsonDouble(sum / divisor);
  }

  private static BsonValue integral(List<BsonDocument> window) {
    if (window.isEmpty()) {
      return BsonNull.VALUE;
    }
    double[] ts = doubles(window, "t");
    double[] ys = doubles(window, "y");
    double area = 0;
    for (int i = 1; i < ts.length; i++) {
      area += (ts[i] - ts[i - 1]) * (ys[i] + ys[i - 1]) / 2;
    }
    return ts.length == 1 ? new BsonInt32(0) : new BsonDouble(area);
  }

  private static BsonValue derivative(List<BsonDocument> window) {
    double[] ts = doubles(window, "t");
    double[] ys = doubles(window, "y");
    int last = ts.length - 1;
    return ts.length == 0 || ts[last] == ts[0]
        ? BsonNull.VALUE
        : new BsonDouble((ys[last] - ys[0]) / (ts[last] - ts[0]));
  }
}
