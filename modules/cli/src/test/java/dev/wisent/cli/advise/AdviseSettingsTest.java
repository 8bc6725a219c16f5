package dev.wisent.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.sharding.advice.AdviceSettings.Priority;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviseSettingsTest {
  private static AdviseSettings parse(String... more) throws AdviseException {
    var arguments = new ArrayList<>(List.of("--uri", "mongodb://a:1", "--ns", "shop.orders"));
    arguments.addAll(List.of(more));
    return AdviseSettings.parse(arguments);
  }

  @Test
  void defaults() throws AdviseException {
    AdviseSettings settings = parse();
    assertThat(settings.namespace().full()).isEqualTo("shop.orders");
    assertThat(settings.shards()).isEqualTo(4);
    assertThat(settings.priority()).isEqualTo(Priority.LATENCY);
    assertThat(settings.insertsPerDay()).isNegative();
    assertThat(settings.keys()).isEmpty();
    assertThat(settings.html()).isNull();
  }

  @Test
  void flagsAndKeys() throws AdviseException {
    AdviseSettings settings =
        parse(
            "--key",
            "{month: 1, user: 1}",
            "--key={_id: 'hashed'}",
            "--shards=8",
            "--prefer",
            "throughput",
            "--memory",
            "0.5",
            "--html",
            "a.html");
    assertThat(settings.keys())
        .extracting(key -> key.text())
        .containsExactly("{month: 1, user: 1}", "{_id: 'hashed'}");
    assertThat(settings.shards()).isEqualTo(8);
    assertThat(settings.priority()).isEqualTo(Priority.THROUGHPUT);
    assertThat(settings.memoryGigabytes()).isEqualTo(0.5);
    assertThat(settings.html()).hasToString("a.html");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--wrong    | 1          | unknown flag '--wrong'",
        "--shards   | 0          | --shards must be a number from 1 to 1000, not '0'",
        "--shards   | many       | --shards must be a number from 1 to 1000, not 'many'",
        "--prefer   | comfort    | --prefer does not know 'comfort'",
        "--queries  | any        | --queries does not know 'any'",
        "--key      | {a: -1}    | --key {a: -1}: ",
        "--key      | {a         | --key {a: ",
        "--ns       | orders     | --ns must be DATABASE.COLLECTION, not 'orders'",
      })
  void wrongFlagsAreNamed(String flag, String value, String message) {
    assertThatThrownBy(() -> parse(flag, value))
        .isInstanceOfSatisfying(AdviseException.class, e -> assertThat(e.isOfOptions()).isTrue())
        .hasMessageContaining(message);
  }

  @Test
  void whatIsNeeded() {
    assertThatThrownBy(() -> AdviseSettings.parse(List.of("--ns", "a.b")))
        .hasMessageContaining("--uri is needed");
    assertThatThrownBy(() -> parse("--html")).hasMessageContaining("--html needs a value");
  }
}
