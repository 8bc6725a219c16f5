package dev.wisent.replication.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.log.Log;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a crash leaves at the end of a log. */
class TornTailTest {
  private static final int WRITES = 20;

  @TempDir Path directory;
  private Path segment;

  /** Leaves a copy of a node that was not closed. */
  @BeforeEach
  void writeAndCopyWithoutClosing() throws IOException {
    Path original = directory.resolve("running");
    try (TestCluster cluster = TestCluster.of(1, original, UnaryOperator.identity())) {
      TestNode node = cluster.leader();
      for (int i = 0; i < WRITES; i++) {
        node.put("k" + i, "v").awaitApplied();
      }
      copy(original, directory.resolve("crashed"));
    }
    try (Stream<Path> files = Files.walk(directory.resolve("crashed"))) {
      segment =
          files
              .filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
              .findFirst()
              .orElseThrow();
    }
  }

  @Test
  void everythingThatWasAcknowledgedComesBack() {
    assertThat(survivors()).isEqualTo(WRITES);
  }

  @Test
  void anEntryThatWasPartlyWrittenIsCutOff() throws IOException {
    try (var file = new RandomAccessFile(segment.toFile(), "rw")) {
      file.seek(TornTail.scan(segment).end());
      // 1,000 bytes are announced, and 100 of them are there.
      file.write(new byte[] {(byte) 0xE8, 0x07});
      file.write("x".repeat(100).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(survivors()).isEqualTo(WRITES);
  }

  @Test
  void damageInTheMiddleIsRefused() throws IOException {
    long size = Files.size(segment);
    try (var file = new RandomAccessFile(segment.toFile(), "rw")) {
      long middle = TornTail.scan(segment).end() / 2;
      file.seek(middle);
      int old = file.read();
      file.seek(middle);
      file.write(old ^ 0x55);
    }
    TornTail.cut(directory.resolve("crashed"), Log.silent());
    assertThat(Files.size(segment)).isEqualTo(size);
    assertThatThrownBy(this::survivors).hasMessageContaining("Cannot start the replicated log");
  }

  private int survivors() {
    try (var cluster = new TestCluster(directory.resolve("crashed"), UnaryOperator.identity())) {
      TestNode node = cluster.start("n1");
      TestCluster.await("it leads", node::isReady);
      int count = 0;
      while (node.get("k" + count) != null) {
        count++;
      }
      node.put("after", "v").awaitApplied();
      return count;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.sorted().toList()) {
        Path copy = to.resolve(from.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
        } else if (!file.getFileName().toString().equals("in_use.lock")) {
          Files.copy(file, copy);
        }
      }
    }
  }
}
