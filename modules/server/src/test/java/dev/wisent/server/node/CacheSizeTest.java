package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CacheSizeTest {
  @Test
  void isAQuarterOfTheMemoryAndNeverTooLittle() {
    assertThat(CacheSize.of(8L << 30)).isEqualTo(2L << 30);
    assertThat(CacheSize.of(512L << 20)).isEqualTo(256L << 20);
    assertThat(CacheSize.ofMachine()).isGreaterThanOrEqualTo(256L << 20);
  }
}
