package dev.wisent.base.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.Clock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLogSinkTest {
  private static final Clock NEW_YEAR =
      new Clock() {
        @Override
        public long wallMillis() {
          return 1_767_225_600_000L;
        }

        @Override
        public long monotonicNanos() {
          return 0;
        }
      };

  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("wisent.log");
  }

  @Test
  void appendsWhenAsked() throws IOException {
    Files.writeString(file(), "old\n");
    try (FileLogSink sink = new FileLogSink(file(), true, NEW_YEAR)) {
      sink.write("é𝄞");
    }
    assertThat(Files.readString(file())).isEqualTo("old\né𝄞\n");
  }

  @Test
  void movesTheOldFileAsideOtherwise() throws IOException {
    Files.writeString(file(), "old\n");
    try (FileLogSink sink = new FileLogSink(file(), false, NEW_YEAR)) {
      sink.write("new");
    }
    assertThat(Files.readString(file())).isEqualTo("new\n");
    assertThat(directory.resolve("wisent.log.2026-01-01T00-00-00")).hasContent("old");
  }

  @Test
  void rotatesByRenamingAndNeverReplaces() throws IOException {
    try (FileLogSink sink = new FileLogSink(file(), false, NEW_YEAR)) {
      sink.write("one");
      Optional<Path> first = sink.rotate();
      sink.write("two");
      Optional<Path> second = sink.rotate();
      sink.write("three");

      assertThat(first.orElseThrow()).hasFileName("wisent.log.2026-01-01T00-00-00");
      assertThat(first.orElseThrow()).hasContent("one");
      assertThat(second.orElseThrow()).hasFileName("wisent.log.2026-01-01T00-00-00-1");
      assertThat(second.orElseThrow()).hasContent("two");
      assertThat(file()).hasContent("three");
    }
  }

  @Test
  void reopensWhenAnotherProgramMovedTheFile() throws IOException {
    try (FileLogSink sink = new FileLogSink(file(), false, NEW_YEAR)) {
      sink.write("one");
      Files.move(file(), directory.resolve("moved"));
      assertThat(sink.rotate()).isEmpty();
      sink.write("two");
    }
    assertThat(file()).hasContent("two");
    assertThat(directory.resolve("moved")).hasContent("one");
  }

  @Test
  void reportsAFileItCannotOpen() {
    assertThatThrownBy(() -> new FileLogSink(directory.resolve("no/such/file"), true, NEW_YEAR))
        .isInstanceOf(IOException.class);
  }

  @Test
  void ignoresLinesAfterClose() throws IOException {
    FileLogSink sink = new FileLogSink(file(), false, NEW_YEAR);
    sink.close();
    sink.write("late");
    sink.close();
    assertThat(file()).isEmptyFile();
    assertThatThrownBy(sink::rotate).hasMessageContaining("closed");
  }

  @Test
  void keepsLinesWholeWithManyWritersAndRotations() throws Exception {
    int writers = 4;
    int linesEach = 500;
    try (FileLogSink sink = new FileLogSink(file(), false, NEW_YEAR);
        ExecutorService executor = Executors.newFixedThreadPool(writers)) {
      List<Future<?>> done = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        String line = Integer.toString(w).repeat(50 + w);
        done.add(
            executor.submit(
                () -> {
                  for (int i = 0; i < linesEach; i++) {
                    sink.write(line);
                  }
                }));
      }
      for (int r = 0; r < 20; r++) {
        sink.rotate();
      }
      for (Future<?> future : done) {
        future.get();
      }
    }
    List<String> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path path : files.toList()) {
        all.addAll(Files.readAllLines(path));
      }
    }
    assertThat(all).hasSize(writers * linesEach);
    assertThat(all).allMatch(line -> line.equals(line.substring(0, 1).repeat(line.length())));
  }

  @Test
  void aStreamSinkWritesUtf8AndIgnoresAReaderThatWentAway() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new StreamLogSink(bytes).write("ü");
    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo("ü\n");

    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    new StreamLogSink(broken).write("lost");
  }
}
