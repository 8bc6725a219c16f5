package dev.wisent.replication.raft;

import dev.wisent.base.RandomSource;
import dev.wisent.base.log.Log;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node's part of the log listens. While the log is not running, the node keeps the port
 * bound, so that no other node chooses it. Guarded by the node.
 */
final class LogPort implements AutoCloseable {
  /** Outgoing connections have higher ports: none of them gets the port of a node that is down. */
  private static final int LOWEST = 28_100;

  private static final int HIGHEST = 32_768;
  private static final int ATTEMPTS = 200;

  private final int number;
  private boolean unused; // by nodes that call each other in one process: only its number is

  /** Null while the log listens, and where another process does. */
  private Socket reservation;

  private LogPort(int number) {
    this.number = number;
  }

  /**
   * The port of a node.
   *
   * @param file remembers one that was chosen
   */
  static LogPort of(RaftOptions options, Path file, RandomSource random, Log log) {
    LogPort port = options.port() == 0 ? chosen(file, random, log) : given(options.port());
    port.unused = options.inProcess().isPresent();
    return port;
  }

  private static LogPort given(int number) {
    var port = new LogPort(number);
    port.reserve();
    return port;
  }

  /**
   * The port that was chosen at the first start, which the other members remember, too. If another
   * process listens there now, the node moves to another port; the leader learns of it by
   * heartbeats.
   *
   * @param file remembers the port
   */
  static LogPort chosen(Path file, RandomSource random, Log log) {
    try {
      Optional<LogPort> remembered = read(file).map(LogPort::new);
      if (remembered.isPresent() && remembered.get().reserve()) {
        return remembered.get();
      }
      LogPort port = choose(random);
      Files.writeString(file, port.number + "\n", StandardCharsets.UTF_8);
      remembered.ifPresent(
          taken ->
              log.warn(
                  7_100_018,
                  "Another process listens on the port of the replicated log, taking another port",
                  "port",
                  taken.number,
                  "newPort",
                  port.number));
      return port;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot choose a port, or keep it in " + file, e);
    }
  }

  private static Optional<Integer> read(Path file) throws IOException {
    try {
      return Optional.of(Integer.parseInt(Files.readString(file, StandardCharsets.UTF_8).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static LogPort choose(RandomSource random) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var port = new LogPort(random.nextInt(LOWEST, HIGHEST));
      if (port.isFree() && port.reserve()) {
        return port;
      }
    }
    throw new BindException("No free port between " + LOWEST + " and " + HIGHEST);
  }

  int number() {
    return number;
  }

  /** Whether no process has the port, not even reserved. */
  private boolean isFree() throws IOException {
    try (var probe = new Socket()) {
      probe.setReuseAddress(false);
      probe.bind(new InetSocketAddress(number));
      return true;
    } catch (BindException e) {
      return false;
    }
  }

  /** Keeps the port until the log listens, and whether that was possible. */
  boolean reserve() {
    if (reservation != null) {
      return true;
    }
    var socket = new Socket();
    try {
      // Connections of a log that has just ended are no obstacle.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(number));
      reservation = socket;
      return true;
    } catch (IOException e) {
      close(socket);
      return false;
    }
  }

  /** Lets the log listen, if it does. */
  void release() {
    if (!unused) {
      free();
    }
  }

  private void free() {
    if (reservation != null) {
      close(reservation);
      reservation = null;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    free();
  }
}
