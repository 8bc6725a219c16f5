package dev.wisent.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A line about the machine, without which figures mean little. */
final class Machine {
  private Machine() {}

  static String describe() {
    StringBuilder out = new StringBuilder();
    out.append(Runtime.getRuntime().availableProcessors()).append(" cores");
    value(Path.of("/proc/cpuinfo"), "model name")
        .ifPresent(model -> out.append(", ").append(model));
    value(Path.of("/proc/meminfo"), "MemTotal")
        .map(total -> Long.parseLong(total.replaceAll("\\D", "")) / (1024 * 1024))
        .ifPresent(gibibytes -> out.append(", ").append(gibibytes).append(" GiB"));
    out.append(", ").append(System.getProperty("os.name")).append(" ");
    out.append(System.getProperty("os.version"));
    return out.toString();
  }

  /** The load of the last minute: others at work make throughput and latency worse. */
  static Optional<String> load() {
    try {
      return Optional.of(Files.readString(Path.of("/proc/loadavg")).split(" ")[0]);
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }

  private static Optional<String> value(Path file, String key) {
    try {
      return Files.readAllLines(file).stream()
          .filter(line -> line.startsWith(key))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst();
    } catch (IOException notLinux) {
      return Optional.empty();
    }
  }
}
