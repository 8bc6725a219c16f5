package dev.wisent.conformance.pages;

import java.nio.file.Path;
import java.util.List;

/** How a class of this build is started in a process of its own. */
final class JavaCommand {
  private JavaCommand() {}

  static List<String> of(String mainClass) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "-Xmx256m",
        "-cp",
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
        mainClass);
  }
}
