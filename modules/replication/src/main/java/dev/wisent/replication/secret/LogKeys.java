package dev.wisent.replication.secret;

import java.util.List;

/**
 * Keys that an administrator gives to all members, as by a key file. They may change while the node
 * runs: connections that are made afterwards are proven by the new ones.
 */
public interface LogKeys {
  /** No key file: the secret of the set proves membership. */
  LogKeys NONE = List::of;

  /** The keys; a peer has to know one of them. Empty where there is no key file. */
  List<byte[]> current();

  /**
   * Whether a peer may prove itself by the secret of the set instead, which is so where there are
   * no keys, and while members get them one after the other.
   */
  default boolean acceptsSetSecret() {
    return current().isEmpty();
  }
}
