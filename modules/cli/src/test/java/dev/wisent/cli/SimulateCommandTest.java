package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private ExitCode run(String... args) {
    return new WisentMain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(List.of(args));
  }

  @Test
  void printsARowForEachDay() {
    assertThat(run("simulate", "--shards", "10", "--chunks=500", "--days", "6", "--growth", "5"))
        .isEqualTo(ExitCode.CLEAN);
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertThat(lines.getFirst()).contains("day", "apart", "moved GB", "back");
    String[] last = lines.get(6).trim().split(" +");
    assertThat(last[0]).isEqualTo("6");
    // One shard was added and one drained; nothing has moved back.
    assertThat(last[1]).isEqualTo("10");
    assertThat(Double.parseDouble(last[4])).isLessThan(3.5);
    assertThat(last[8]).isEqualTo("0");
  }

  @ParameterizedTest
  @CsvSource({
    "--shards=1, --shards must be from 2",
    "--days=x, --days must be a number",
    "--chunks=5, --chunks must be from",
    "--what=1, unknown flag '--what'",
    "--seed, --seed needs a value"
  })
  void refusesWhatMakesNoSense(String flag, String message) {
    assertThat(run("simulate", flag)).isEqualTo(ExitCode.BAD_OPTIONS);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(message);
  }
}
