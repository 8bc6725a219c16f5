package dev.wisent.sharding.balance;

import dev.wisent.operation.Namespace;

/**
 * Data that should move and has nowhere to go, or cannot be moved.
 *
 * @param reason null where the metadata of the collection cannot be used
 */
public record Stall(Namespace namespace, MoveReason reason, String message) {
  private static final String UNUSABLE = "unusableMetadata";

  /** For a collection whose bounds are not of its shard key, or whose chunks leave a gap. */
  public static Stall unusable(Namespace namespace, RuntimeException failure) {
    return new Stall(namespace, null, "its metadata cannot be used: " + failure);
  }

  /** Why the data should move, as {@code balancerCollectionStatus} calls it. */
  public String violation() {
    return reason == null ? UNUSABLE : reason.violation();
  }
}
