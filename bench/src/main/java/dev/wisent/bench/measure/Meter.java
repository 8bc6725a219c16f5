package dev.wisent.bench.measure;

import dev.wisent.bench.process.DirectorySize;
import dev.wisent.bench.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what a server uses.
 *
 * @param processes empty when the server's process cannot be seen from here
 * @param dataDirectory empty when the server keeps nothing on a disk that we know
 * @param parts some of the processes by what they are, whose CPU is told by itself
 */
public record Meter(
    Optional<ProcessTree> processes, Optional<Path> dataDirectory, Map<String, ProcessTree> parts) {
  private static final Duration QUIET_WINDOW = Duration.ofMillis(200);

  /** A server is quiet when it uses less than a tenth of one core. */
  private static final long QUIET_CPU_MICROS_MAX = QUIET_WINDOW.toMillis() * 1000 / 10;

  public Meter(Optional<ProcessTree> processes, Optional<Path> dataDirectory) {
    this(processes, dataDirectory, Map.of());
  }

  public OptionalLong cpuMicros() {
    return processes.isPresent()
        ? OptionalLong.of(processes.get().cpuMicros())
        : OptionalLong.empty();
  }

  public OptionalLong residentBytes() {
    return processes.isPresent()
        ? OptionalLong.of(processes.get().residentBytes())
        : OptionalLong.empty();
  }

  public OptionalLong diskBytes() throws IOException {
    return dataDirectory.isPresent()
        ? OptionalLong.of(DirectorySize.bytes(dataDirectory.get()))
        : OptionalLong.empty();
  }

  /**
   * Waits until the server has finished what earlier work left behind (compaction, checkpoints,
   * compilation), so that the next measurement does not pay for it.
   */
  public void awaitQuiet(Duration timeout) throws InterruptedException {
    if (processes.isEmpty() || timeout.isZero()) {
      return;
    }
    long deadline = System.nanoTime() + timeout.toNanos();
    long last = processes.get().cpuMicros();
    while (System.nanoTime() < deadline) {
      Thread.sleep(QUIET_WINDOW);
      long now = processes.get().cpuMicros();
      if (now - last <= QUIET_CPU_MICROS_MAX) {
        return;
      }
      last = now;
    }
  }

  /** A run to be measured. */
  public interface Run {
    Outcome run() throws Exception;
  }

  /** Runs and returns what the clients saw together with what the server used. */
  public Sample measure(Run run) throws Exception {
    OptionalLong before = cpuMicros();
    Map<String, Long> partsBefore = cpuMicrosOfParts();
    Outcome outcome = run.run();
    OptionalLong after = cpuMicros();
    Map<String, Long> partsAfter = cpuMicrosOfParts();
    double cpuMicros =
        before.isPresent() && after.isPresent()
            ? after.getAsLong() - before.getAsLong()
            : Double.NaN;
    Sample sample = Sample.of(outcome, cpuMicros, toDouble(residentBytes()), toDouble(diskBytes()));
    for (String part : parts.keySet()) {
      double used = partsAfter.get(part) - partsBefore.get(part);
      sample = sample.withExtra(part + " CPU µs", used / outcome.units());
    }
    return sample;
  }

  private Map<String, Long> cpuMicrosOfParts() {
    var cpu = new LinkedHashMap<String, Long>();
    parts.forEach((part, tree) -> cpu.put(part, tree.cpuMicros()));
    return cpu;
  }

  private static double toDouble(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : Double.NaN;
  }
}
