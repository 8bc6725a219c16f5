package dev.wisent.base.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LogTest {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
  private long nowMillis = 1_767_225_600_007L;
  private final ServerLog server = server(ZoneOffset.UTC);

  private ServerLog server(ZoneId zone) {
    Clock clock =
        new Clock() {
          @Override
          public long wallMillis() {
            return nowMillis;
          }

          @Override
          public long monotonicNanos() {
            return 0;
          }
        };
    return new ServerLog(lines::add, clock, zone, LogFormat.JSON);
  }

  private Log log(LogComponent component) {
    return server.of(component).withContext("conn12");
  }

  @Test
  void writesALineAsMongodDoes() {
    log(LogComponent.NETWORK)
        .info(22943, "Connection accepted", "remote", "127.0.0.1:50000", "connectionId", 12);

    assertThat(lines)
        .containsExactly(
            "{\"t\":{\"$date\":\"2026-01-01T00:00:00.007+00:00\"},\"s\":\"I\",\"c\":\"NETWORK\","
                + "\"id\":22943,\"ctx\":\"conn12\",\"msg\":\"Connection accepted\","
                + "\"attr\":{\"remote\":\"127.0.0.1:50000\",\"connectionId\":12}}");
  }

  @Test
  void leavesOutAttrWhenThereIsNone() {
    log(LogComponent.CONTROL).warn(1, "bare");

    assertThat(lines.getFirst()).endsWith("\"ctx\":\"conn12\",\"msg\":\"bare\"}");
    assertThat(JsonReader.object(lines.getFirst())).containsEntry("s", "W");
  }

  @Test
  void namesTheThreadWhenThereIsNoContext() {
    server.of(LogComponent.CONTROL).info(1, "hi");

    assertThat(JsonReader.object(lines.getFirst()))
        .containsEntry("ctx", Thread.currentThread().getName());
  }

  @Test
  void writesLocalTimeWithItsOffset() {
    server(ZoneId.of("Asia/Kathmandu")).of(LogComponent.CONTROL).info(1, "east");
    server(ZoneId.of("America/St_Johns")).of(LogComponent.CONTROL).info(1, "west");
    nowMillis = -1;
    server.of(LogComponent.CONTROL).info(1, "before the epoch");

    assertThat(lines.get(0)).contains("2026-01-01T05:45:00.007+05:45");
    assertThat(lines.get(1)).contains("2025-12-31T20:30:00.007-03:30");
    assertThat(lines.get(2)).contains("1969-12-31T23:59:59.999+00:00");
  }

  @Test
  void writesEveryKindOfValue() {
    Map<String, Object> nested = new LinkedHashMap<>();
    nested.put("a\"b", List.of(1, "x", true));
    nested.put("none", null);
    log(LogComponent.QUERY)
        .info(
            1,
            "values",
            "null",
            null,
            "double",
            1.5,
            "infinite",
            Double.NEGATIVE_INFINITY,
            "nan",
            Float.NaN,
            "long",
            Long.MIN_VALUE,
            "array",
            new String[] {"x", null},
            "map",
            nested,
            "path",
            Path.of("some", "file"),
            "raw",
            (LogValue) out -> out.append("{\"x\":1}"),
            "enum",
            LogSeverity.INFO);

    assertThat(attributes(0))
        .containsEntry("null", null)
        .containsEntry("double", 1.5)
        .containsEntry("infinite", Map.of("$numberDouble", "-Infinity"))
        .containsEntry("nan", Map.of("$numberDouble", "NaN"))
        .containsEntry("long", Long.MIN_VALUE)
        .containsEntry("array", Arrays.asList("x", null))
        .containsEntry("path", Path.of("some", "file").toString())
        .containsEntry("raw", Map.of("x", 1L))
        .containsEntry("enum", "INFO");
    assertThat(attributes(0).get("map")).hasToString("{a\"b=[1, x, true], none=null}");
  }

  @Test
  void survivesMistakesAtTheCallSite() {
    Object unprintable =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("no");
          }
        };
    log(LogComponent.QUERY).info(1, "odd", "a", 1, "lonely");
    log(LogComponent.QUERY).info(1, "bad", "value", unprintable);

    assertThat(attributes(0)).containsEntry("lonely", null);
    assertThat(attributes(1).get("value")).asString().startsWith("unprintable ");
  }

  @Test
  void anyStringIsOneLineOfValidJson() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 2_000; i++) {
      String text = randomText(random);
      lines.clear();
      log(LogComponent.QUERY).info(1, text, text, text);
      assertThat(lines.getFirst()).as("seed %s", seed).doesNotContain("\n", "\r");
      String expected = withoutHalfPairs(text);
      assertThat(JsonReader.object(lines.getFirst()))
          .as("seed %s", seed)
          .containsEntry("msg", expected)
          .containsEntry("attr", Map.of(expected, expected));
    }
  }

  private static String randomText(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(12);
    for (int i = 0; i < length; i++) {
      switch (random.nextInt(4)) {
        case 0 -> text.append((char) random.nextInt(0x80));
        case 1 -> text.append((char) random.nextInt(0x10000));
        case 2 -> text.append((char) random.nextInt(0xd800, 0xe000));
        default -> text.appendCodePoint(random.nextInt(0x10000, 0x110000));
      }
    }
    return text.toString();
  }

  private static String withoutHalfPairs(String text) {
    StringBuilder result = new StringBuilder();
    text.codePoints()
        .map(c -> c >= 0xd800 && c < 0xe000 ? 0xfffd : c)
        .forEach(result::appendCodePoint);
    return result.toString();
  }

  @Test
  void cutsLongAttributesAndSaysSo() {
    String longText = "x".repeat(LogLine.ATTRIBUTE_CHARS_MAX + 1);
    log(LogComponent.COMMAND)
        .info(1, "long", "text", longText, "list", List.of(longText, "\""), "short", 1);

    Map<String, Object> line = JsonReader.object(lines.getFirst());
    assertThat(attributes(0).get("text"))
        .isEqualTo(longText.substring(0, LogLine.ATTRIBUTE_CHARS_MAX));
    assertThat(attributes(0).get("list")).asString().startsWith("[\"xxx");
    assertThat(line.get("truncated"))
        .hasToString("{text={type=string, size=10241}, list={type=object, size=10250}}");
    assertThat(line.get("size")).hasToString("{text=10241, list=10250}");
  }

  @Test
  void writesErrorsWithCauses() {
    Exception error = new IOException("disk\nfull", new IllegalStateException("inner"));
    log(LogComponent.STORAGE).error(9_000_001, "Write failed", error, "file", "x");

    assertThat(lines.getFirst()).doesNotContain("\n");
    assertThat(JsonReader.object(lines.getFirst())).containsEntry("s", "E");
    assertThat(attributes(0)).containsEntry("file", "x");
    assertThat(attributes(0)).containsEntry("error", "java.io.IOException: disk\nfull");
    assertThat(attributes(0).get("stackTrace"))
        .asString()
        .contains("LogTest.writesErrorsWithCauses")
        .contains("caused by java.lang.IllegalStateException: inner");
  }

  @Test
  void debugFollowsTheTreeOfLevels() {
    Log journal = log(LogComponent.JOURNAL);
    journal.debug(1, "off");
    assertThat(lines).isEmpty();

    server.levels().set(LogComponent.STORAGE, 2);
    assertThat(journal.isDebug()).isTrue();
    assertThat(journal.isDebug(3)).isFalse();
    assertThat(log(LogComponent.NETWORK).isDebug()).isFalse();
    journal.debug(2, 7, "on");
    journal.debug(3, 8, "off");
    assertThat(lines).hasSize(1);
    assertThat(JsonReader.object(lines.getFirst())).containsEntry("s", "D2");

    server.levels().set(LogComponent.JOURNAL, 0);
    assertThat(journal.isDebug()).isFalse();
    server.levels().set(LogComponent.JOURNAL, LogLevels.INHERIT);
    server.levels().set(LogComponent.STORAGE, LogLevels.INHERIT);
    server.levels().set(LogComponent.DEFAULT, 5);
    assertThat(journal.isDebug(5)).isTrue();
    assertThat(server.levels().setting(LogComponent.JOURNAL)).isEqualTo(LogLevels.INHERIT);
  }

  @Test
  void refusesLevelsOutOfRange() {
    assertThatThrownBy(() -> server.levels().set(LogComponent.DEFAULT, LogLevels.INHERIT))
        .hasMessageContaining("0..5");
    assertThatThrownBy(() -> server.levels().set(LogComponent.QUERY, 6))
        .hasMessageContaining("-1..5");
  }

  @Test
  void parentsAreDeclaredBeforeTheirChildren() {
    for (LogComponent component : LogComponent.values()) {
      component.parent().ifPresent(p -> assertThat(p.ordinal()).isLessThan(component.ordinal()));
    }
  }

  @Test
  void remembersTheLastLinesAndStartupWarnings() {
    log(LogComponent.CONTROL).startupWarning(22120, "Access control is not enabled");
    for (int i = 0; i < LogHistory.LINES_MAX; i++) {
      log(LogComponent.CONTROL).info(1, "line", "i", i);
    }

    LogHistory.Excerpt global = server.history().global();
    assertThat(global.totalLinesWritten()).isEqualTo(LogHistory.LINES_MAX + 1L);
    assertThat(global.lines()).hasSize(LogHistory.LINES_MAX);
    assertThat(global.lines().getFirst()).contains("\"i\":0}");
    LogHistory.Excerpt warnings = server.history().startupWarnings();
    assertThat(warnings.totalLinesWritten()).isEqualTo(1);
    assertThat(warnings.lines().getFirst()).endsWith(",\"tags\":[\"startupWarnings\"]}");
  }

  @Test
  void boundsTheMemoryOfTheHistory() {
    String large = "y".repeat(LogLine.ATTRIBUTE_CHARS_MAX);
    for (int i = 0; i < 300; i++) {
      log(LogComponent.CONTROL).info(1, "line", "large", large);
    }

    long chars = server.history().global().lines().stream().mapToLong(String::length).sum();
    assertThat(chars).isBetween((long) LogHistory.CHARS_MAX / 2, (long) LogHistory.CHARS_MAX);
  }

  @Test
  void mutesInformationByNumber() {
    server.mute(Set.of(22943));
    log(LogComponent.NETWORK).info(22943, "Connection accepted");
    log(LogComponent.NETWORK).warn(22943, "not information");
    log(LogComponent.NETWORK).info(1, "another number");

    assertThat(lines).hasSize(2);
  }

  @Test
  void aSilentServerStillAnswersGetLog() {
    try (ServerLog silent = ServerLog.silent()) {
      silent.of(LogComponent.CONTROL).info(1, "quiet");
      assertThat(silent.history().global().lines()).hasSize(1);
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> attributes(int line) {
    return (Map<String, Object>) JsonReader.object(lines.get(line)).get("attr");
  }
}
