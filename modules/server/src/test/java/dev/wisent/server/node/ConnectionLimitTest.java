package dev.wisent.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConnectionLimitTest {
  @Test
  void isWhatWasAskedForWhereTheSystemAllowsIt() {
    assertThat(ConnectionLimit.of(1000, 1_000_000, 2L << 30)).isEqualTo(1000);
    assertThat(ConnectionLimit.of(65_536, 1_000_000, 2L << 30)).isEqualTo(65_536);
    assertThat(ConnectionLimit.of(65_536, 1_000, 2L << 30)).isEqualTo(800);
    assertThat(ConnectionLimit.of(65_536, 1_000_000, 256L << 20)).isEqualTo(8192);
    assertThat(ConnectionLimit.of(5, Long.MAX_VALUE, Long.MAX_VALUE)).isEqualTo(5);
  }
}
