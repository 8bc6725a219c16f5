package dev.wisent.tools;

import dev.wisent.base.Clock;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** Runs tools inside the test, with streams in memory. */
public final class ToolHarness {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Interruption interruption = new Interruption();
  private byte[] in = {};
  private Clock clock = Clock.system();
  private boolean terminal;
  private int outputBytesMax = Integer.MAX_VALUE;
  private final Map<String, Runnable> awaited = new ConcurrentSkipListMap<>();

  /** What is on standard input. */
  public ToolHarness input(byte[] bytes) {
    in = bytes.clone();
    return this;
  }

  public ToolHarness input(String text) {
    return input(text.getBytes(StandardCharsets.UTF_8));
  }

  /** As if standard error were a terminal. */
  public ToolHarness onTerminal() {
    terminal = true;
    return this;
  }

  /** Does something before the tool goes on after a message, once. */
  public ToolHarness onMessage(String text, Runnable action) {
    awaited.put(text, action);
    return this;
  }

  /** Does something before the tool goes on after a message, each time. */
  public ToolHarness onEachMessage(String text, Runnable action) {
    return onMessage(
        text,
        () -> {
          onEachMessage(text, action);
          action.run();
        });
  }

  /** Standard output fails after so many bytes, as on a full disk. */
  public ToolHarness outputBytesMax(int bytes) {
    outputBytesMax = bytes;
    return this;
  }

  public ToolHarness clock(Clock other) {
    clock = other;
    return this;
  }

  private OutputStream limitedOutput() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, Math.min(length, outputBytesMax - out.size()));
        if (out.size() == outputBytesMax) {
          throw new IOException("No space left on device");
        }
      }
    };
  }

  private PrintStream messageStream() {
    return new PrintStream(err, true, StandardCharsets.UTF_8) {
      @Override
      public void println(String line) {
        super.println(line);
        for (String text : List.copyOf(awaited.keySet())) {
          Runnable action = line.contains(text) ? awaited.remove(text) : null;
          if (action != null) {
            action.run();
          }
        }
      }
    };
  }

  public Interruption interruption() {
    return interruption;
  }

  public ToolHarness run(String... arguments) throws ToolException {
    List<String> all = List.of(arguments);
    Tools.find(all.getFirst()).orElseThrow().run(all.subList(1, all.size()), surroundings());
    return this;
  }

  /** What a tool of this harness knows. */
  public Surroundings surroundings() {
    return new Surroundings(
        new ByteArrayInputStream(in),
        new PrintStream(limitedOutput(), true, StandardCharsets.UTF_8),
        messageStream(),
        terminal,
        100,
        clock,
        BackgroundLoops.silent().scheduler(),
        interruption,
        null,
        "test");
  }

  public byte[] bytes() {
    return out.toByteArray();
  }

  public String output() {
    return out.toString(StandardCharsets.UTF_8);
  }

  public String messages() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
