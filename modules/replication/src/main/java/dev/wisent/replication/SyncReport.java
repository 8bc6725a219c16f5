package dev.wisent.replication;

import java.util.List;

/**
 * How a node has got everything from another one, or is about to.
 *
 * @param endMillis 0 while it is under way
 * @param totalBytes what there is to copy in the present attempt; 0 before that is known
 * @param failures how many attempts have failed
 * @param attempts the last ones that have ended
 */
public record SyncReport(
    long startMillis,
    long endMillis,
    long totalBytes,
    long copiedBytes,
    long failures,
    List<Attempt> attempts) {
  /**
   * An attempt that has ended.
   *
   * @param status {@code OK}, or why it failed
   * @param sourceId the peer that everything was to come from
   */
  public record Attempt(long durationMillis, String status, String sourceId) {}

  public boolean isUnderWay() {
    return endMillis == 0;
  }
}
