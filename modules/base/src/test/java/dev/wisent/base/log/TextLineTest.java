package dev.wisent.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextLineTest {
  private static final Clock CLOCK =
      new Clock() {
        @Override
        public long wallMillis() {
          return 1_767_225_600_007L;
        }

        @Override
        public long monotonicNanos() {
          return 0;
        }
      };

  private final List<String> lines = new ArrayList<>();
  private final ServerLog server = new ServerLog(lines::add, CLOCK, ZoneOffset.UTC, LogFormat.TEXT);
  private final Log log = server.of(LogComponent.NETWORK).withContext("conn12");

  @Test
  void isReadable() {
    log.info(22943, "Connection accepted", "remote", "127.0.0.1:50000", "connectionId", 12);

    assertThat(lines)
        .containsExactly(
            "00:00:00 INFO  NETWORK  conn12: Connection accepted"
                + " (remote: 127.0.0.1:50000, connectionId: 12)");
  }

  @Test
  void showsObjectsAsJson() {
    log.warn(1, "slow", "command", Map.of("ping", 1));

    assertThat(lines)
        .containsExactly("00:00:00 WARN  NETWORK  conn12: slow (command: {\"ping\":1})");
  }

  @Test
  void shortensLongValues() {
    log.error(1, "long", "text", "x".repeat(10_000));

    assertThat(lines.getFirst()).hasSizeLessThan(600).endsWith("...)");
  }

  @Test
  void showsWhereAnErrorComesFrom() {
    log.error(1, "failed", new IllegalStateException("why", new RuntimeException("cause")));

    assertThat(lines.getFirst())
        .startsWith(
            "00:00:00 ERROR NETWORK  conn12: failed\n  java.lang.IllegalStateException: why")
        .contains("\n    at dev.wisent.base.log.TextLineTest")
        .endsWith("\n  caused by java.lang.RuntimeException: cause");
  }

  @Test
  void aValueThatCannotPrintItselfIsNamed() {
    Object broken =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("broken");
          }
        };
    log.info(1, "value", "v", broken);

    assertThat(lines.getFirst()).contains("unprintable");
  }

  @Test
  void theHistoryStaysJson() {
    log.info(1, "message");

    assertThat(server.history().global().lines().getFirst()).startsWith("{\"t\":");
  }
}
