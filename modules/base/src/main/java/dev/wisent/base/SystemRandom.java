package dev.wisent.base;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

enum SystemRandom implements RandomSource {
  INSTANCE;

  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public byte[] nextSecret(int count) {
    byte[] bytes = new byte[count];
    Secrets.RANDOM.nextBytes(bytes);
    return bytes;
  }

  /** Made when the first secret is needed. */
  private static final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();
  }

  @Override
  public UUID nextUuid() {
    return UUID.randomUUID();
  }
}
