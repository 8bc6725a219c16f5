package dev.wisent.conformance.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.testkit.NodePackages;
import dev.wisent.testkit.NodeScript;
import dev.wisent.testkit.ScriptResult;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The npm package in {@code packaging/node}, with Node's own test runner and the driver. */
class NodePackageTest {
  private static final String DRIVER_VERSION = "7.8.0";
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  /** The tests run in test/conformance. */
  private static final Path PACKAGE = Path.of("../../packaging/node").toAbsolutePath().normalize();

  @TempDir private Path directory;
  private NodePackages packages;
  private Path driver;
  private Path project;
  private Path link;

  /** A project that has the package and the driver, and a Wisent of the classes under test. */
  @BeforeEach
  void makeProject() throws IOException {
    packages = NodePackages.assumeNode();
    driver = packages.assumeInstalled("mongodb", DRIVER_VERSION);
    project = Files.createDirectory(directory.resolve("project"));
    Path modules = Files.createDirectory(project.resolve("node_modules"));
    link = Files.createSymbolicLink(modules.resolve("wisent-test"), PACKAGE);
    Files.createDirectory(directory.resolve("tmp"));
    Path launcher = Files.createDirectory(directory.resolve("home")).resolve("wisent");
    Files.writeString(launcher, "#!/bin/sh\nexec " + java() + " \"$@\"\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
  }

  @AfterEach
  void unlink() throws IOException {
    if (link != null) {
      Files.delete(link);
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (var entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  private static String java() {
    var words = new ArrayList<String>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(
        List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    words.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp"));
    words.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    words.add("dev.wisent.cli.WisentMain");
    return words.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
  }

  @Test
  void theExampleIsGreen() throws IOException {
    assertGreen(Files.copy(PACKAGE.resolve("example.test.js"), project.resolve("example.test.js")));
  }

  @Test
  void itStartsWhatItSaysAndLeavesNothing() throws Exception {
    assertGreen(
        Files.copy(resource("wisent-test.test.js"), project.resolve("wisent-test.test.js")));
  }

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(NodePackageTest.class.getResource("/node/" + name).toURI());
  }

  private void assertGreen(Path test) throws IOException {
    NodeScript script =
        packages
            .script(driver, Path.of("--test"), test.toString())
            .withEnvironment(
                Map.of(
                    "NODE_PATH",
                    driver.toString(),
                    "WISENT_HOME",
                    directory.resolve("home").toString(),
                    "TMPDIR",
                    directory.resolve("tmp").toString()));
    ScriptResult result = script.run(PATIENCE);
    assertThat(result.exitCode()).as(result::text).isZero();
    assertThat(result.stdout()).as(result::text).contains("fail 0").contains("pass ");
    assertThat(list(directory.resolve("tmp")))
        .filteredOn(path -> path.getFileName().toString().startsWith("wisent"))
        .isEmpty();
  }
}
