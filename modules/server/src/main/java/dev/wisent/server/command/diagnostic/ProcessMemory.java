package dev.wisent.server.command.diagnostic;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this process as the operating system counts it; zero where it does not tell. */
record ProcessMemory(long residentBytes, long virtualBytes) {
  private static final Path STATUS = Path.of("/proc/self/status");

  static ProcessMemory read() {
    long resident = 0;
    long virtual = 0;
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmRSS:")) {
          resident = bytes(line);
        } else if (line.startsWith("VmSize:")) {
          virtual = bytes(line);
        }
      }
    } catch (IOException e) {
      return new ProcessMemory(0, 0);
    }
    return new ProcessMemory(resident, virtual);
  }

  private static long bytes(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
  }
}
