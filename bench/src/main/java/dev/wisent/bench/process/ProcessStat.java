package dev.wisent.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What one line of {@code /proc/<pid>/stat} says about a process.
 *
 * @param cpuTicks user and system time of the process and of the children it has waited for
 */
record ProcessStat(long pid, long parentPid, long cpuTicks) {
  // Positions counted from the field after the command name, which is the state.
  private static final int PARENT_PID = 1;
  private static final int USER_TIME = 11;
  private static final int SYSTEM_TIME = 12;
  private static final int CHILDREN_USER_TIME = 13;
  private static final int CHILDREN_SYSTEM_TIME = 14;

  /** Empty when the process is gone. */
  static Optional<ProcessStat> read(Path processDirectory) {
    try {
      byte[] line = Files.readAllBytes(processDirectory.resolve("stat"));
      return Optional.of(parse(new String(line, StandardCharsets.ISO_8859_1)));
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  static ProcessStat parse(String line) {
    int open = line.indexOf('(');
    // The command name may itself hold spaces and parentheses; nothing after it does.
    int close = line.lastIndexOf(')');
    if (open < 0 || close < open) {
      throw new IllegalArgumentException("not a stat line: " + line);
    }
    long pid = Long.parseLong(line.substring(0, open).trim());
    String[] fields = line.substring(close + 1).trim().split(" ");
    long ticks =
        Long.parseLong(fields[USER_TIME])
            + Long.parseLong(fields[SYSTEM_TIME])
            + Long.parseLong(fields[CHILDREN_USER_TIME])
            + Long.parseLong(fields[CHILDREN_SYSTEM_TIME]);
    return new ProcessStat(pid, Long.parseLong(fields[PARENT_PID]), ticks);
  }
}
