package dev.wisent.storage;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Keeps RocksDB from waiting for better times when a flush or a compaction found the disk full.
 * While it waits, so do writers that stand before full memtables: inside the native call, without a
 * limit, where nothing can wake them. Without the recovery they get the error.
 *
 * <p>This is called when there was an error, and at no other time. RocksDB knows more reasons for
 * one than its Java classes, which throw before they come here: what is thrown is printed, and then
 * counts as a refusal, too.
 */
final class NoRecovery extends AbstractEventListener {
  NoRecovery() {
    super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
  }

  /** Whether to recover. */
  @Override
  public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
    return false;
  }
}
