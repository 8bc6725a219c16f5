package dev.wisent.query.collation;

import com.ibm.icu.text.RawCollationKey;
import com.ibm.icu.text.RuleBasedCollator;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawValue;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes the keys of strings, with ICU. Its collators belong to one thread at a time: one lies
 * ready, and who finds it taken makes a copy, which costs less than waiting.
 */
final class TextCollator {
  private final RuleBasedCollator prototype;
  private final AtomicReference<Worker> idle = new AtomicReference<>();

  /** A collator with the buffer for its keys. */
  private static final class Worker {
    private final RuleBasedCollator collator;
    private final RawCollationKey key = new RawCollationKey();

    Worker(RuleBasedCollator collator) {
      this.collator = collator;
    }
  }

  /**
   * @param prototype complete; not to be changed any more
   */
  TextCollator(RuleBasedCollator prototype) {
    this.prototype = (RuleBasedCollator) prototype.freeze();
  }

  private Worker take() {
    Worker worker = idle.getAndSet(null);
    return worker != null ? worker : new Worker(prototype.cloneAsThawed());
  }

  /**
   * The key of a string as a string of its own, without the zero that ICU ends keys with.
   *
   * @param type that of the result: a string or a symbol
   */
  RawValue key(byte type, String text) {
    Worker worker = take();
    RawCollationKey key = worker.collator.getRawCollationKey(text, worker.key);
    byte[] value = new byte[Integer.BYTES + key.size];
    LittleEndian.putInt32(value, 0, key.size);
    System.arraycopy(key.bytes, 0, value, Integer.BYTES, key.size);
    idle.set(worker);
    return new RawValue(type, value, 0, value.length);
  }
}
