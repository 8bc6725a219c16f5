package dev.wisent.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A state of the store with the changes of an overlay up to one of its versions. */
final class OverlayView implements FixedView {
  private final FixedView base;
  private final Overlay changes;
  private final long upTo;

  OverlayView(FixedView base, Overlay changes, long upTo) {
    this.base = base;
    this.changes = changes;
    this.upTo = upTo;
  }

  @Override
  public FixedView share() {
    return new OverlayView(base.share(), changes, upTo);
  }

  /** That of the store's state, which tells whether definitions have changed since. */
  @Override
  public long sequence() {
    return base.sequence();
  }

  @Override
  public long cacheSequence() {
    return NOT_CACHED;
  }

  @Override
  public ReadView under(Keyspace keyspace, byte[] key) {
    return changes.find(keyspace, key, upTo) == null ? base : this;
  }

  @Override
  public void admit(int valueBytes) {
    base.admit(valueBytes);
  }

  @Override
  public byte[] get(Keyspace keyspace, byte[] key) {
    Overlay.Entry changed = changes.find(keyspace, key, upTo);
    if (changed == null) {
      return base.get(keyspace, key);
    }
    return changed.isDeleted() ? null : changed.value().clone();
  }

  @Override
  public int get(Keyspace keyspace, byte[] key, int keyLength, byte[] dest, int destOffset) {
    byte[] exact = keyLength == key.length ? key : Arrays.copyOf(key, keyLength);
    Overlay.Entry changed = changes.find(keyspace, exact, upTo);
    if (changed == null) {
      return base.get(keyspace, key, keyLength, dest, destOffset);
    }
    if (changed.isDeleted()) {
      return -1;
    }
    byte[] value = changed.value();
    System.arraycopy(value, 0, dest, destOffset, Math.min(value.length, dest.length - destOffset));
    return value.length;
  }

  @Override
  public List<byte[]> multiGet(Keyspace keyspace, List<byte[]> keys) {
    var values = new ArrayList<byte[]>(base.multiGet(keyspace, keys));
    for (int i = 0; i < keys.size(); i++) {
      Overlay.Entry changed = changes.find(keyspace, keys.get(i), upTo);
      if (changed != null) {
        values.set(i, changed.isDeleted() ? null : changed.value().clone());
      }
    }
    return values;
  }

  @Override
  public long counter(Keyspace keyspace, byte[] key) {
    return base.counter(keyspace, key) + changes.delta(keyspace, key, upTo);
  }

  @Override
  public KeyValueCursor cursor(
      Keyspace keyspace,
      byte[] lowerInclusive,
      byte[] upperExclusive,
      boolean reverse,
      ScanHint hint) {
    var range = new KeyRange(keyspace, lowerInclusive, upperExclusive, reverse);
    return new OverlayCursor(
        base.cursor(keyspace, lowerInclusive, upperExclusive, reverse, hint),
        changes.range(range, upTo),
        reverse,
        this);
  }

  @Override
  public void close() {
    base.close();
  }
}
