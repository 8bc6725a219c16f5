package dev.wisent.cluster.config.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ActiveWindowTest {
  @ParameterizedTest
  @CsvSource({
    "9:00,  17:00, 09:00, true",
    "9:00,  17:00, 17:00, true",
    "9:00,  17:00, 17:01, false",
    "9:00,  17:00, 08:59, false",
    "23:00, 6:30,  23:30, true",
    "23:00, 6:30,  00:00, true",
    "23:00, 6:30,  06:30, true",
    "23:00, 6:30,  12:00, false",
  })
  void theWindowMayReachOverMidnight(String start, String stop, String time, boolean inside) {
    ActiveWindow window =
        ActiveWindow.of(
            RawDocument.parse("{activeWindow: {start: '%s', stop: '%s'}}".formatted(start, stop)));
    assertThat(window.contains(LocalTime.parse(time))).isEqualTo(inside);
  }

  @Test
  void withoutAWindowThereIsNone() {
    assertThat(ActiveWindow.of(RawDocument.EMPTY)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{activeWindow: 1}",
        "{activeWindow: {start: '1:00'}}",
        "{activeWindow: {start: '1:00', stop: '24:00'}}",
        "{activeWindow: {start: '1:60', stop: '2:00'}}",
        "{activeWindow: {start: 100, stop: '2:00'}}",
        "{activeWindow: {start: '1:00', stop: '1:00'}}"
      })
  void whatIsNoWindowIsRefused(String settings) {
    assertThatThrownBy(() -> ActiveWindow.of(RawDocument.parse(settings)))
        .isInstanceOf(CommandException.class);
  }
}
