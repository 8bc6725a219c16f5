package dev.wisent.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes that we have started and that have ended, with all their descendants. */
public final class EndedChildren {
  private static final Path STAT = Path.of("/proc/self/stat");
  private static final int USER_TIME = 13;
  private static final int SYSTEM_TIME = 14;
  private static final long MICROS_PER_TICK = 10_000;

  private EndedChildren() {}

  /** Zero where there is no {@code /proc}. */
  public static long cpuMicros() {
    if (!Files.isReadable(STAT)) {
      return 0;
    }
    try {
      String line = Files.readString(STAT, StandardCharsets.ISO_8859_1);
      // The name of the command may have spaces and parentheses in it.
      String[] fields = line.substring(line.lastIndexOf(')') + 1).trim().split(" ");
      return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]))
          * MICROS_PER_TICK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
