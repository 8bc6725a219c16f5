package dev.wisent.server.node;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.wisent.base.Limits;
import java.lang.management.ManagementFactory;

/** How many connections a node can take. */
final class ConnectionLimit {
  private ConnectionLimit() {}

  /** As many as were asked for, where file descriptors and the heap allow it. */
  static int of(int asked) {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : Long.MAX_VALUE;
    return of(asked, descriptors, Runtime.getRuntime().maxMemory());
  }

  /**
   * A fifth of the descriptors is left for files, as in MongoDB; a quarter of the heap is taken.
   */
  static int of(int asked, long descriptorsMax, long heapBytes) {
    long byDescriptors = descriptorsMax / 5 * 4;
    long byHeap = heapBytes / 4 / Limits.IDLE_CONNECTION_BYTES;
    return (int) Math.max(1, Math.min(asked, Math.min(byDescriptors, byHeap)));
  }
}
