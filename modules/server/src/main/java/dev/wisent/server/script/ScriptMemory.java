package dev.wisent.server.script;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Tells when a script takes memory that the server needs. What a thread has allocated can be asked
 * for, what it still holds cannot: so a script is only greedy if it allocated a lot during one call
 * and the heap is nearly full.
 */
public final class ScriptMemory {
  private static final long ALLOCATED_ALWAYS_ALLOWED = 16L * 1024 * 1024;
  private static final double FULL = 0.8;

  private final com.sun.management.ThreadMXBean threads;
  private final List<MemoryPoolMXBean> pools;

  public ScriptMemory() {
    threads =
        ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean bean
            ? bean
            : null;
    pools =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && isForOldObjects(pool))
            .toList();
  }

  private static boolean isForOldObjects(MemoryPoolMXBean pool) {
    String name = pool.getName();
    return name.contains("Old") || name.contains("Tenured") || name.contains("ZHeap");
  }

  /** Bytes that a thread has allocated since it started. */
  long allocatedBy(long threadId) {
    return threads == null ? 0 : threads.getThreadAllocatedBytes(threadId);
  }

  boolean isTooMuch(long allocatedInCall) {
    return allocatedInCall > ALLOCATED_ALWAYS_ALLOWED && isHeapFull();
  }

  private boolean isHeapFull() {
    for (MemoryPoolMXBean pool : pools) {
      MemoryUsage usage = pool.getUsage();
      if (usage != null && usage.getMax() > 0 && usage.getUsed() > FULL * usage.getMax()) {
        return true;
      }
    }
    return false;
  }
}
