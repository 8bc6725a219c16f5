package dev.wisent.cluster.embedded;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Does at the same time what waits for disks and elections. */
final class Together {
  private Together() {}

  /** Returns when all have ended; one of their failures is thrown. */
  static void run(List<Runnable> tasks) {
    List<CompletableFuture<Void>> running =
        tasks.stream()
            .map(task -> CompletableFuture.runAsync(task, Thread::startVirtualThread))
            .toList();
    try {
      CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }
}
