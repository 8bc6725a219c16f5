package dev.wisent.bson;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.bson.types.ObjectId;

/**
 * New ObjectIds: the second, five random bytes that are the same for all ids of this generator, and
 * a counter of three bytes. Thread-safe.
 */
public final class ObjectIds implements Supplier<ObjectId> {
  private static final int RANDOM_BYTES = 5;

  private final Clock clock;
  private final byte[] random = new byte[RANDOM_BYTES];
  private final AtomicInteger counter;

  public ObjectIds(Clock clock, RandomSource random) {
    this.clock = clock;
    random.nextBytes(this.random);
    this.counter = new AtomicInteger(random.nextInt());
  }

  @Override
  public ObjectId get() {
    int count = counter.getAndIncrement();
    byte[] bytes =
        ByteBuffer.allocate(12)
            .putInt((int) (clock.wallMillis() / 1000))
            .put(random)
            .put((byte) (count >> 16))
            .putShort((short) count)
            .array();
    return new ObjectId(bytes);
  }
}
