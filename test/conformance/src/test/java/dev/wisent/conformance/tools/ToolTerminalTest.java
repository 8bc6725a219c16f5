package dev.wisent.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.testkit.ToolProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What tools draw in a real terminal, which {@code script} of util-linux gives them. */
class ToolTerminalTest {
  @TempDir Path directory;

  @Test
  void progressIsDrawnOnTheTerminal() throws IOException, InterruptedException {
    assumeTrue(hasScript(), "no script of util-linux");
    try (Wisent server = Wisent.start();
        MongoClient client = MongoClients.create(server.uri())) {
      client
          .getDatabase("shop")
          .getCollection("orders")
          .insertMany(IntStream.range(0, 1_000).mapToObj(i -> new Document("_id", i)).toList());
      Path archive = directory.resolve("archive");
      // The output is a file, and the messages go to the terminal.
      String dump =
          inTerminal("> " + archive, "dump", "--uri=" + server.uri(), "-d=shop", "--archive");
      assertThat(dump)
          .contains("\rdump 100% [=", " 1000/1000 documents ")
          .endsWith("1000 document(s) of 1 collection(s) dumped\r\n");
      String restore = inTerminal("", "restore", "--uri=" + server.uri(), "--archive=" + archive);
      assertThat(restore)
          .contains("\rrestore ")
          .containsPattern("(^|\n|\r)shop.orders exists: its documents and options stay\r\n")
          .contains("1000 document(s) were there already.");
    }
  }

  private static boolean hasScript() throws InterruptedException {
    try {
      Process version = new ProcessBuilder("script", "--version").start();
      String text = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return version.waitFor() == 0 && text.contains("util-linux");
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns what the terminal got. */
  private String inTerminal(String redirection, String... arguments)
      throws IOException, InterruptedException {
    String command =
        ToolProcess.command(arguments).stream()
            .map(word -> "'" + word.replace("'", "'\\''") + "'")
            .collect(Collectors.joining(" "));
    Path program = directory.resolve("program.sh");
    Files.writeString(program, command + " " + redirection + "\n");
    Process terminal =
        new ProcessBuilder(List.of("script", "-qec", "sh " + program, "/dev/null"))
            .redirectErrorStream(true)
            .start();
    terminal.getOutputStream().close();
    String text = new String(terminal.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(terminal.waitFor()).as(text).isZero();
    return text;
  }
}
