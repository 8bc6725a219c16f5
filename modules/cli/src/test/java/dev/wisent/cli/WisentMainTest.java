package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.tools.Tools;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WisentMainTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private ExitCode run(String... args) {
    return new WisentMain(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))
        .run(List.of(args));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void helpsWithoutArguments() {
    assertThat(run()).isEqualTo(ExitCode.CLEAN);
    assertThat(out()).startsWith("Usage: wisent COMMAND").contains("\n  server ", "\n  advise ");
    assertThat(err()).isEmpty();
  }

  @Test
  void showsItsVersion() {
    assertThat(run("--version")).isEqualTo(ExitCode.CLEAN);
    assertThat(run("server", "--version")).isEqualTo(ExitCode.CLEAN);
    assertThat(out()).startsWith("wisent ").contains("Java 25");
  }

  @Test
  void showsTheFlagsOfAServer() {
    assertThat(run("server", "--help")).isEqualTo(ExitCode.CLEAN);
    assertThat(out()).contains("wisent server", "--dbpath DIR", "--setParameter NAME=VALUE");
    assertThat(out()).contains("(default: 27017)").doesNotContain("--noauth");
  }

  @Test
  void refusesAnUnknownCommand() {
    assertThat(run("sever")).isEqualTo(ExitCode.BAD_OPTIONS);
    assertThat(err()).contains("unknown command 'sever'");
    assertThat(out()).isEmpty();
  }

  @Test
  void refusesBadFlagsAndSaysWhereToLook() {
    assertThat(run("server", "--configdb", "a")).isEqualTo(ExitCode.BAD_OPTIONS);
    assertThat(err()).contains("--configdb is not supported: it is", "wisent server --help");
  }

  @Test
  void aRouterHasFlagsOfItsOwn() {
    assertThat(run("router", "--help")).isEqualTo(ExitCode.CLEAN);
    assertThat(out()).contains("--configdb", "--port").doesNotContain("--dbpath", "--shardsvr");
    assertThat(run("router", "--dbpath", "x")).isEqualTo(ExitCode.BAD_OPTIONS);
    assertThat(err()).contains("unknown flag '--dbpath'", "wisent router --help");
  }

  @Test
  void toolsHaveHelpAndExitCodes() {
    assertThat(run("help")).isEqualTo(ExitCode.CLEAN);
    for (Tools tool : Tools.values()) {
      assertThat(out()).contains("  " + tool.command() + " ");
      assertThat(run(tool.command(), "--help")).isEqualTo(ExitCode.CLEAN);
      assertThat(out()).contains("Usage: wisent " + tool.command());
      assertThat(run(tool.command(), "--nonsense")).isEqualTo(ExitCode.BAD_OPTIONS);
      assertThat(err()).contains("Try 'wisent " + tool.command() + " --help' for the flags.");
    }
    String nowhere = "mongodb://localhost:1/?serverSelectionTimeoutMS=100";
    assertThat(run("dump", nowhere)).isEqualTo(ExitCode.FAILED);
    assertThat(err()).contains("wisent dump: cannot connect: ", "localhost:1");
  }
}
