package dev.wisent.simulation.workload;

import dev.wisent.simulation.network.Network;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The messages of a run in a file, for those who look for the reason of a failure. */
final class Trace {
  private Trace() {}

  static void into(Path file, Network network) {
    network.trace(
        line -> {
          try {
            Files.writeString(
                file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
