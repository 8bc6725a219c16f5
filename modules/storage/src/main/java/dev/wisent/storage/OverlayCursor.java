package dev.wisent.storage;

import java.util.Arrays;

/** Merges a cursor of the store with the changes of an overlay, which win for equal keys. */
final class OverlayCursor implements KeyValueCursor {
  private enum State {
    BEFORE_FIRST,
    /** The current entry is the store's. */
    ON_STORED,
    /** The current entry is the overlay's; the store may have the same key. */
    ON_CHANGED,
    AT_END
  }

  private final KeyValueCursor stored;
  private final Overlay.Range changes;
  private final boolean reverse;
  private final ReadView view;

  private State state = State.BEFORE_FIRST;

  /** Whether {@link #stored} is on an entry. */
  private boolean hasStored;

  /** The next change; null if there is none. */
  private Overlay.Entry changed;

  /** Whether the current entry was read into a batch. */
  private boolean inBatch;

  /** Takes over {@code stored}. */
  OverlayCursor(KeyValueCursor stored, Overlay.Range changes, boolean reverse, ReadView view) {
    this.stored = stored;
    this.changes = changes;
    this.reverse = reverse;
    this.view = view;
  }

  @Override
  public boolean next() {
    switch (state) {
      case BEFORE_FIRST -> {
        hasStored = stored.next();
        changed = changes.first();
      }
      case ON_STORED -> hasStored = stored.next();
      case ON_CHANGED -> passChange();
      case AT_END -> {
        return false;
      }
    }
    return settle();
  }

  @Override
  public boolean seek(byte[] key, int keyLength) {
    hasStored = stored.seek(key, keyLength);
    changed = changes.from(keyLength == key.length ? key : Arrays.copyOf(key, keyLength));
    return settle();
  }

  /** Leaves the current change behind, and the stored entry that it hides. */
  private void passChange() {
    if (hasStored && order() == 0) {
      hasStored = stored.next();
    }
    changed = changes.after(changed.key());
  }

  /** How the stored entry is to the change, in the direction of the cursor. */
  private int order() {
    byte[] key = changed.key();
    int order = Arrays.compareUnsigned(stored.key(), 0, stored.keyLength(), key, 0, key.length);
    return reverse ? -order : order;
  }

  private boolean settle() {
    inBatch = false;
    while (changed != null && !(hasStored && order() < 0)) {
      if (!changed.isDeleted()) {
        state = State.ON_CHANGED;
        return true;
      }
      passChange();
    }
    state = hasStored ? State.ON_STORED : State.AT_END;
    return hasStored;
  }

  @Override
  public boolean read(EntryBatch batch) {
    batch.restart();
    boolean there = (isOnEntry() && !inBatch) || next();
    while (there && addTo(batch)) {
      inBatch = true;
      there = !batch.isFull() && next();
    }
    return batch.count() > 0;
  }

  private boolean addTo(EntryBatch batch) {
    if (batch.isOfKeys()) {
      return batch.add(key(), keyLength(), EntryBatch.NO_VALUE, 0, view);
    }
    return batch.add(key(), keyLength(), value(), valueLength(), view);
  }

  private boolean isOnEntry() {
    return state == State.ON_STORED || state == State.ON_CHANGED;
  }

  private boolean isOnChange() {
    if (!isOnEntry()) {
      throw new IllegalStateException("the cursor is not on an entry");
    }
    return state == State.ON_CHANGED;
  }

  @Override
  public byte[] key() {
    return isOnChange() ? changed.key() : stored.key();
  }

  @Override
  public int keyLength() {
    return isOnChange() ? changed.key().length : stored.keyLength();
  }

  @Override
  public byte[] value() {
    return isOnChange() ? changed.value() : stored.value();
  }

  @Override
  public int valueLength() {
    return isOnChange() ? changed.value().length : stored.valueLength();
  }

  @Override
  public byte[] copyKey() {
    return isOnChange() ? changed.key().clone() : stored.copyKey();
  }

  @Override
  public byte[] copyValue() {
    return isOnChange() ? changed.value().clone() : stored.copyValue();
  }

  @Override
  public int readValue(byte[] dest, int destOffset) {
    if (!isOnChange()) {
      return stored.readValue(dest, destOffset);
    }
    byte[] value = changed.value();
    System.arraycopy(value, 0, dest, destOffset, Math.min(value.length, dest.length - destOffset));
    return value.length;
  }

  @Override
  public void close() {
    stored.close();
  }
}
