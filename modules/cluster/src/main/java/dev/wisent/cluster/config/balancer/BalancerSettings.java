package dev.wisent.cluster.config.balancer;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.cluster.config.metadata.CatalogStore;
import dev.wisent.operation.OperationContext;
import java.time.LocalTime;

/**
 * What {@code config.settings} says about the balancer. {@code _secondaryThrottle} is not among it:
 * migrations always wait for a majority.
 *
 * @param mode full, or off; autoSplitOnly counts as off
 * @param window null for always
 * @param waitForDelete whether a migration ends when the donor has deleted the range
 * @param movesJumbo whether jumbo chunks move as a whole, and not from draining shards only
 * @param chunkBytes of collections that have no size of their own
 * @param autoMerge whether neighbours are merged in the background
 */
record BalancerSettings(
    String mode,
    ActiveWindow window,
    boolean waitForDelete,
    boolean movesJumbo,
    long chunkBytes,
    boolean autoMerge) {
  static final String COLLECTION = "settings";
  static final String ID = "balancer";
  static final String FULL = "full";
  static final String OFF = "off";

  private static final long MEGABYTE = 1 << 20;
  private static final long CHUNK_MEGABYTES_DEFAULT = 128;

  /** Fails with BadValue where a window makes no sense. */
  static BalancerSettings read(OperationContext operation, CatalogStore store) {
    RawDocument balancer = document(operation, store, ID);
    RawDocument size = document(operation, store, "chunksize");
    RawDocument merge = document(operation, store, "automerge");
    long megabytes = DocumentFields.number(size, "value");
    RawValue enabled = merge.get("enabled");
    return new BalancerSettings(
        modeOf(balancer),
        ActiveWindow.of(balancer),
        DocumentFields.isTrue(balancer, "_waitForDelete"),
        DocumentFields.isTrue(balancer, "attemptToBalanceJumboChunks"),
        (megabytes <= 0 ? CHUNK_MEGABYTES_DEFAULT : megabytes) * MEGABYTE,
        enabled == null || enabled.isTruthy());
  }

  private static RawDocument document(OperationContext operation, CatalogStore store, String id) {
    RawDocument found = store.findById(operation, COLLECTION, id);
    return found == null ? RawDocument.EMPTY : found;
  }

  /** The mode that a document of settings means. */
  static String modeOf(RawDocument balancer) {
    if (DocumentFields.isTrue(balancer, "stopped")) {
      return OFF;
    }
    String mode = DocumentFields.text(balancer, "mode");
    return mode == null ? FULL : mode;
  }

  boolean isOn() {
    return mode.equals(FULL);
  }

  boolean isActiveAt(LocalTime time) {
    return isOn() && (window == null || window.contains(time));
  }
}
