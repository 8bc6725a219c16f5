package dev.wisent.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A home directory for mongosh, so that a test neither reads nor writes the user's own. */
final class MongoshHome {

  private MongoshHome() {}

  static void prepare(Path home) {
    try {
      Path settings = Files.createDirectories(home.resolve(".mongodb").resolve("mongosh"));
      Files.writeString(
          settings.resolve("config"),
          """
          {"userId": "000000000000000000000000", "enableTelemetry": false,
           "disableGreetingMessage": true}
          """);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot prepare a home for mongosh in " + home, e);
    }
  }
}
