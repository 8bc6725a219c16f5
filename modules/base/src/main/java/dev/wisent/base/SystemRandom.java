package dev.wisent.base;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

enum SystemRandom implements RandomSource {
  INSTANCE;

  @Override
  public long nextLong() {
    return ThreadLocalRandom.current().nextLong();
  }

  @Override
  public UUID nextUuid() {
    return UUID.randomUUID();
  }
}
