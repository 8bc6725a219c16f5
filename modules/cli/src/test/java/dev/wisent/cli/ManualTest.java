package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.cli.manual.Command;
import dev.wisent.cli.manual.HelpEntry;
import dev.wisent.cli.manual.HelpText;
import dev.wisent.tools.Tools;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages and completions have every flag of every command. */
class ManualTest {
  private static final Pattern FLAG_AT_BEGIN = Pattern.compile("(?m)^ {2,6}(-\\w, )?(--?\\w+)");

  @TempDir private Path share;

  @BeforeEach
  void write() {
    assertThat(run("manual", share.toString(), "2026-11-01")).isEqualTo(ExitCode.CLEAN);
  }

  private static ExitCode run(String... args) {
    var out = new PrintStream(new ByteArrayOutputStream(), true);
    return new WisentMain(out, out).run(List.of(args));
  }

  private String read(String file) throws IOException {
    return Files.readString(share.resolve(file));
  }

  /** Found without the parser that is tested. */
  private static Set<String> flagsIn(String help) {
    Set<String> flags = new TreeSet<>();
    Matcher matcher = FLAG_AT_BEGIN.matcher(help);
    while (matcher.find()) {
      if (matcher.group(1) != null) {
        flags.add(matcher.group(1).substring(0, 2));
      }
      flags.add(matcher.group(2));
    }
    return flags;
  }

  private static Command command(String name) {
    return WisentMain.commands().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Set<String> names(HelpText help) {
    var names = new TreeSet<String>();
    help.flags().forEach(flag -> names.addAll(flag.names()));
    return names;
  }

  @Test
  void readsEveryFlagOfEveryHelp() {
    assertThat(names(command("server").help()))
        .isEqualTo(flagsIn(ServerFlag.usage(Program.SERVER)))
        .contains(
            "-f", "--config", "-v", "--verbose", "--dbpath", "--tlsCertificateKeyFilePassword")
        .hasSizeGreaterThan(50);
    assertThat(names(command("router").help()))
        .isEqualTo(flagsIn(ServerFlag.usage(Program.ROUTER)))
        .contains("--configdb")
        .doesNotContain("--dbpath");
    assertThat(names(command("cluster").help()))
        .isEqualTo(flagsIn(ClusterSettings.USAGE))
        .contains("--shards", "--keyFile");
    for (Tools tool : Tools.values()) {
      assertThat(names(command(tool.command()).help()))
          .as(tool.command())
          .isEqualTo(flagsIn(tool.help()))
          .contains("--help", "--version");
    }
  }

  @Test
  void pagesAndCompletionsHaveEveryFlag() throws IOException {
    String bash = read("bash-completion/completions/wisent");
    String zsh = read("zsh/site-functions/_wisent");
    String fish = read("fish/vendor_completions.d/wisent.fish");
    assertThat(WisentMain.commands()).hasSize(5 + Tools.values().length);
    for (Command command : WisentMain.commands()) {
      String page = read("man/man1/wisent-" + command.name() + ".1");
      assertThat(page).contains("wisent\\-" + command.name() + " \\- ");
      String ofBash = between(bash, "    " + command.name() + ")\n", "esac ;;");
      String ofZsh = between(zsh, "  " + command.name() + ")\n", ";;\n");
      for (HelpEntry flag : command.help().flags()) {
        assertThat(flag.help()).as(flag.names().toString()).isNotEmpty();
        for (String name : flag.names()) {
          assertThat(page).contains("\\fB" + name.replace("-", "\\-") + "\\fR");
          assertThat(ofBash).containsPattern("[\" ]" + name + "[\" ]");
          assertThat(ofZsh).containsPattern("'\\*" + name + "(=-)?\\[");
          String ofFish =
              name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.charAt(1);
          assertThat(fish)
              .containsPattern("seen_subcommand_from " + command.name() + "'.*" + ofFish + " ");
        }
      }
    }
  }

  private static String between(String text, String begin, String end) {
    int from = text.indexOf(begin);
    assertThat(from).as(begin).isNotNegative();
    return text.substring(from, text.indexOf(end, from));
  }

  @Test
  void thePageOfTheProgramNamesAllOthers() throws IOException {
    String page = read("man/man1/wisent.1");
    for (Command command : WisentMain.commands()) {
      assertThat(page).contains(".BR wisent\\-" + command.name() + " (1)");
    }
  }

  @Test
  void entriesKeepValuesChoicesAndContinuations() {
    HelpText help =
        HelpText.parse(
            """
            Usage: wisent x [FLAGS]

            First line
            and second.

              -o, --out DIRECTORY      where, - for
                                       the output
                  --archive[=FILE]     one file
                  --queries all|none
                                       which
            """);
    assertThat(help.synopsis()).isEqualTo("wisent x [FLAGS]");
    assertThat(help.paragraphs()).containsExactly("First line and second.");
    assertThat(help.flags())
        .containsExactly(
            new HelpEntry(List.of("-o", "--out"), "DIRECTORY", false, "where, - for the output"),
            new HelpEntry(List.of("--archive"), "FILE", true, "one file"),
            new HelpEntry(List.of("--queries"), "all|none", false, "which"));
  }

  @Test
  void refusesWrongArguments() {
    assertThat(run("manual")).isEqualTo(ExitCode.BAD_OPTIONS);
  }
}
