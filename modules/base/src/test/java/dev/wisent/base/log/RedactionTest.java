package dev.wisent.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {
  private final List<String> lines = new ArrayList<>();
  private final ServerLog server = new ServerLog(lines::add, Clock.system());
  private final Log log = server.of(LogComponent.COMMAND);

  private String only() {
    assertThat(lines).hasSize(1);
    assertThat(server.history().global().lines().toString()).contains(lines.getFirst());
    return lines.getFirst();
  }

  @Test
  void nothingIsHiddenUnlessAskedFor() {
    log.info(1, "hi", "reason", "secret");
    assertThat(only()).contains("secret");
  }

  @Test
  void textOfAnUnknownAttributeIsHidden() {
    server.redact(true);
    log.info(1, "hi", "reason", "secret", "list", List.of("secret"), "map", Map.of("a", "secret"));
    assertThat(only())
        .doesNotContain("secret")
        .contains("\"reason\":\"###\"", "\"list\":[\"###\"]", "{\"a\":\"###\"}");
  }

  @Test
  void figuresNamesAndAddressesStay() {
    server.redact(true);
    log.info(1, "hi", "ns", "shop.items", "remote", "192.0.2.1:5", "durationMillis", 12);
    assertThat(only()).contains("shop.items", "192.0.2.1:5", "\"durationMillis\":12");
  }

  @Test
  void errorsAreTheirTypeAndPlace() {
    server.redact(true);
    log.error(
        1,
        "failed",
        new IllegalStateException("secret", new IllegalArgumentException("secret too")));
    assertThat(only())
        .doesNotContain("secret")
        .contains("java.lang.IllegalStateException: ###")
        .contains("java.lang.IllegalArgumentException: ###")
        .contains("RedactionTest.errorsAreTheirTypeAndPlace");
  }

  @Test
  void aValueThatWritesItselfDecides() {
    server.redact(true);
    LogValue closed = out -> out.append("\"secret\"");
    log.info(1, "hi", "command", closed);
    assertThat(only()).contains("\"command\":\"###\"");
  }
}
