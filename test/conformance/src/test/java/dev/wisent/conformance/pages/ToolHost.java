package dev.wisent.conformance.pages;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.cli.advise.AdviseException;
import dev.wisent.cli.advise.AdviseRun;
import dev.wisent.cli.advise.AdviseSettings;
import dev.wisent.tools.Tools;
import dev.wisent.tools.command.Interruption;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A process in which the tools of pages run, one after the other or at the same time, with the
 * streams of the script that asks for them: a start of Java for each would take most of the time.
 * Its current directory is that of the pages. It ends with its standard input.
 */
final class ToolHost {
  private static final Logger LOG = System.getLogger(ToolHost.class.getName());
  private static final String UNKNOWN = "unknown";
  private static final String FAILED = "70";
  private static final int COLUMNS = 80;
  private static final List<String> CONNECTING = List.of("--uri", "--host", "--port", "-h");

  private ToolHost() {}

  /** Prints the port that it listens on. */
  public static void main(String[] arguments) throws IOException {
    try (ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      System.out.println(listening.getLocalPort());
      Thread.ofPlatform().daemon().start(() -> accept(listening));
      while (System.in.read() >= 0) {
        // Nothing is ever sent: only the end counts.
      }
    }
  }

  private static void accept(ServerSocket listening) {
    while (!listening.isClosed()) {
      try {
        Socket socket = listening.accept();
        Thread.ofPlatform().daemon().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private static void serve(Socket socket) {
    try (socket) {
      var in = new DataInputStream(socket.getInputStream());
      String pid = word(in);
      String port = word(in);
      int count = Integer.parseInt(word(in));
      List<String> words = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        words.add(word(in));
      }
      String code;
      try {
        code = run(pid, port, words);
      } catch (IOException | RuntimeException | Error e) {
        LOG.log(Level.ERROR, "A tool has failed", e);
        code = FAILED;
      }
      socket.getOutputStream().write((code + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.log(Level.ERROR, "A script cannot be answered", e);
    }
  }

  private static String word(DataInputStream in) throws IOException {
    var word = new ByteArrayOutputStream();
    for (int b = in.readUnsignedByte(); b != 0; b = in.readUnsignedByte()) {
      word.write(b);
    }
    return word.toString(StandardCharsets.UTF_8);
  }

  private static String run(String pid, String port, List<String> words) throws IOException {
    String command = words.isEmpty() ? "" : words.getFirst();
    List<String> flags = words.subList(Math.min(1, words.size()), words.size());
    Optional<Tools> tool = Tools.find(command);
    if (flags.contains("--help") || (tool.isEmpty() && !command.equals("advise"))) {
      return UNKNOWN;
    }
    // Opened anew: they are files or pipes, and nothing of another run is cut off.
    try (InputStream in = new FileInputStream("/proc/" + pid + "/fd/10");
        PrintStream out = stream(pid, 11);
        PrintStream err = stream(pid, 12)) {
      return tool.isEmpty()
          ? advise(flags, out, err)
          : run(tool.get(), connecting(tool.get(), flags, port), in, out, err);
    }
  }

  private static PrintStream stream(String pid, int number) throws IOException {
    return new PrintStream(
        new FileOutputStream("/proc/" + pid + "/fd/" + number, true), true, StandardCharsets.UTF_8);
  }

  private static List<String> connecting(Tools tool, List<String> flags, String port) {
    boolean named =
        flags.stream().anyMatch(flag -> CONNECTING.contains(flag.replaceFirst("=.*", "")));
    // What looks at files alone takes no address.
    boolean local = tool == Tools.BSONDUMP || (tool == Tools.BACKUP && !flags.contains("--out"));
    if (named || local) {
      return flags;
    }
    List<String> all = new ArrayList<>(flags);
    all.addAll(0, List.of("--port", port));
    return all;
  }

  private static String run(
      Tools tool, List<String> flags, InputStream in, PrintStream out, PrintStream err) {
    try {
      tool.run(
          flags,
          new Surroundings(
              in,
              out,
              err,
              false,
              COLUMNS,
              Clock.system(),
              BackgroundLoops.silent().scheduler(),
              new Interruption(),
              null,
              "test"));
      return "0";
    } catch (ToolException e) {
      err.println("wisent " + tool.command() + ": " + e.getMessage());
      return e.isOfOptions() ? "2" : "1";
    }
  }

  private static String advise(List<String> flags, PrintStream out, PrintStream err) {
    try {
      new AdviseRun(AdviseSettings.parse(flags), out, RandomSource.system()).run();
      return "0";
    } catch (AdviseException e) {
      err.println("wisent advise: " + e.getMessage());
      return e.isOfOptions() ? "2" : "1";
    }
  }
}
