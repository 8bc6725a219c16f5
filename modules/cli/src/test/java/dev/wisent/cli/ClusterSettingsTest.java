package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSettingsTest {

  private static ClusterSettings parse(String... flags) throws StartException {
    return ClusterSettings.parse(List.of(flags));
  }

  private static String refusal(String... flags) {
    return assertThatExceptionOfType(StartException.class)
        .isThrownBy(() -> parse(flags))
        .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.BAD_OPTIONS))
        .actual()
        .getMessage();
  }

  @Test
  void hasDefaults() throws StartException {
    var defaults = new ClusterSettings(3, 27017, Path.of("data/cluster"), "rs0", List.of());
    assertThat(parse()).isEqualTo(defaults);
    assertThat(parse("--shards", "0")).isEqualTo(defaults);
  }

  @Test
  void takesValuesEitherWay() throws StartException {
    assertThat(parse("--shards=0", "--members", "5", "--port=4000", "--dbpath=d", "--replSet=x"))
        .isEqualTo(new ClusterSettings(5, 4000, Path.of("d"), "x", List.of()));
  }

  @Test
  void takesParametersForAllMembers() throws StartException {
    assertThat(parse("--setParameter", "a=1", "--setParameter=b=2").parameters())
        .containsExactly("a=1", "b=2");
  }

  @Test
  void refusesShards() {
    assertThat(refusal("--shards", "2")).contains("--shards 2", "use --shards 0");
  }

  @Test
  void refusesWhatMakesNoSense() {
    assertThat(refusal("--shards", "0", "--members", "8")).contains("from 1 to 7, not 8");
    assertThat(refusal("--shards", "0", "--members", "0")).contains("from 1 to 7");
    assertThat(refusal("--shards", "0", "--port", "65535")).contains("--port must be from 1");
    assertThat(refusal("--shards", "none")).contains("must be a number");
    assertThat(refusal("--shards")).contains("needs a value");
    assertThat(refusal("--shards", "0", "--routers", "1")).contains("unknown flag '--routers'");
  }
}
