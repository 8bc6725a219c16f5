package dev.wisent.server.node;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * How much memory data blocks may take where it is not configured: a quarter of the machine's, or
 * of the container's. It is taken as blocks are read. What is not in it has to be decompressed for
 * each scan, which takes twice the time.
 */
final class CacheSize {
  private static final long BYTES_MIN = 256L << 20;
  private static final int SHARE = 4;

  private CacheSize() {}

  static long ofMachine() {
    var system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    return of(system.getTotalMemorySize());
  }

  static long of(long memoryBytes) {
    return Math.max(BYTES_MIN, memoryBytes / SHARE);
  }
}
