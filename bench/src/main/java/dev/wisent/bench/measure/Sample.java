package dev.wisent.bench.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The figures of one run, or the medians of several. A figure that could not be had is NaN.
 *
 * @param cpuMicrosPerUnit CPU time of the server's processes per operation
 * @param extras further figures of this workload by name, in the order to print them
 */
public record Sample(
    double units,
    double unitsPerSecond,
    double p50Micros,
    double p99Micros,
    double cpuMicrosPerUnit,
    double residentBytes,
    double diskBytes,
    Map<String, Double> extras) {

  public Sample {
    extras = Collections.unmodifiableMap(new LinkedHashMap<>(extras));
  }

  static Sample of(Outcome outcome, double cpuMicros, double residentBytes, double diskBytes) {
    double units = outcome.units();
    return new Sample(
        units,
        units * 1e9 / outcome.elapsedNanos(),
        outcome.latencies().getValueAtPercentile(50) / 1000.0,
        outcome.latencies().getValueAtPercentile(99) / 1000.0,
        units == 0 ? Double.NaN : cpuMicros / units,
        residentBytes,
        diskBytes,
        Map.of());
  }

  public Sample withExtra(String name, double value) {
    Map<String, Double> more = new LinkedHashMap<>(extras);
    more.put(name, value);
    return new Sample(
        units,
        unitsPerSecond,
        p50Micros,
        p99Micros,
        cpuMicrosPerUnit,
        residentBytes,
        diskBytes,
        more);
  }

  /** For workloads where the server does other work meanwhile. */
  public Sample withoutCpu() {
    return new Sample(
        units, unitsPerSecond, p50Micros, p99Micros, Double.NaN, residentBytes, diskBytes, extras);
  }

  /** The median of each figure by itself. */
  public static Sample median(List<Sample> samples) {
    Map<String, Double> extras = new LinkedHashMap<>();
    for (String name : samples.getFirst().extras().keySet()) {
      extras.put(name, median(samples, s -> s.extras().getOrDefault(name, Double.NaN)));
    }
    return new Sample(
        median(samples, Sample::units),
        median(samples, Sample::unitsPerSecond),
        median(samples, Sample::p50Micros),
        median(samples, Sample::p99Micros),
        median(samples, Sample::cpuMicrosPerUnit),
        median(samples, Sample::residentBytes),
        median(samples, Sample::diskBytes),
        extras);
  }

  private static double median(List<Sample> samples, ToDoubleFunction<Sample> figure) {
    double[] sorted =
        samples.stream().mapToDouble(figure).filter(v -> !Double.isNaN(v)).sorted().toArray();
    if (sorted.length == 0) {
      return Double.NaN;
    }
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
