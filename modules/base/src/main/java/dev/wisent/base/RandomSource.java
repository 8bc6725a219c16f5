package dev.wisent.base;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Chance as the server sees it, so that tests and simulations can supply their own. */
public interface RandomSource extends RandomGenerator {
  /** A new identifier (version 4). */
  default UUID nextUuid() {
    long high = (nextLong() & 0xffff_ffff_ffff_0fffL) | 0x4000L;
    long low = (nextLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return new UUID(high, low);
  }

  /** Bytes that nothing else can guess, where this is the machine's randomness. */
  default byte[] nextSecret(int count) {
    byte[] bytes = new byte[count];
    nextBytes(bytes);
    return bytes;
  }

  /** The machine's randomness: thread-safe, without contention; identifiers cannot be guessed. */
  static RandomSource system() {
    return SystemRandom.INSTANCE;
  }

  /** For what is the same each time: to ask it for a value is a mistake. */
  static RandomSource none() {
    return () -> {
      throw new IllegalStateException("no random values here");
    };
  }

  /** The same values for the same seed. For one thread. */
  static RandomSource seeded(long seed) {
    return new SplittableRandom(seed)::nextLong;
  }
}
