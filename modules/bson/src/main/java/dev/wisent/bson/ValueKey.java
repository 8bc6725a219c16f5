package dev.wisent.bson;

/**
 * A value as a key of hash sets and maps, with the equality of {@link ValueOrder}: 1 and 1.0 are
 * the same key. It keeps the value's array alive; see {@link RawValue#detached()}.
 *
 * <p>Keys are comparable so that hash maps stay fast when a client sends values that collide.
 */
public final class ValueKey implements Comparable<ValueKey> {
  private final RawValue value;
  private final int hash;

  public ValueKey(RawValue value) {
    this.value = value;
    this.hash = ValueOrder.hash(value);
  }

  public RawValue value() {
    return value;
  }

  @Override
  public int compareTo(ValueKey other) {
    return ValueOrder.compare(value, other.value);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ValueKey that
        && hash == that.hash
        && ValueOrder.equal(value, that.value);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
