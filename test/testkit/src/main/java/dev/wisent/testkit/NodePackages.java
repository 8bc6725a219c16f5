package dev.wisent.testkit;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Node.js and npm packages for tests, installed once per version into a cache in the user's home.
 *
 * <p>A test that needs them is skipped with a message where Node.js is missing or the package can
 * be neither found in the cache nor fetched; with the system property {@code wisent.node=required}
 * it fails instead. npm's own configuration (files and {@code NPM_CONFIG_*}) is left as the user
 * has it.
 */
public final class NodePackages {

  private static final String CACHE_PROPERTY = "wisent.npmCache";
  private static final String REQUIRED_PROPERTY = "wisent.node";
  private static final int NODE_MAJOR_MIN = 20;
  private static final Duration VERSION_TIMEOUT = Duration.ofSeconds(120);
  private static final Duration INSTALL_TIMEOUT = Duration.ofMinutes(6);

  private final Path node;
  private final Path npm;
  private final Path cache;

  private NodePackages(Path node, Path npm, Path cache) {
    this.node = node;
    this.npm = npm;
    this.cache = cache;
  }

  /** Finds Node.js on the path, or skips the test. */
  public static NodePackages assumeNode() {
    Optional<Path> node = onPath("node");
    Optional<Path> npm = onPath("npm");
    if (node.isEmpty() || npm.isEmpty()) {
      throw unavailable("needs node and npm on the path");
    }
    ScriptResult version =
        NodeScript.of(List.of(node.get().toString(), "--version")).run(VERSION_TIMEOUT);
    if (majorOf(version.stdout()) < NODE_MAJOR_MIN) {
      throw unavailable(
          "needs Node.js " + NODE_MAJOR_MIN + " or newer, found " + version.stdout().strip());
    }
    return new NodePackages(node.get(), npm.get(), cacheDirectory());
  }

  /** The {@code node_modules} folder that holds the package, installed if need be. */
  public Path assumeInstalled(String name, String version) {
    Path target = cache.resolve(name.replace('/', '+') + "-" + version);
    Path modules = target.resolve("node_modules");
    if (!Files.isDirectory(modules.resolve(name))) {
      install(name, version, target);
    }
    return modules;
  }

  /** A script for node that finds the packages of {@code modules} with {@code require}. */
  public NodeScript script(Path modules, Path script, String... arguments) {
    return NodeScript.of(
            concat(List.of(node.toString(), script.toString()), Arrays.asList(arguments)))
        .withEnvironment(Map.of("NODE_PATH", modules.toString()));
  }

  /** A run of the mongosh in {@code modules}, with the given arguments after the quiet flags. */
  public NodeScript mongosh(Path modules, Path home, String... arguments) {
    Path main = modules.resolve("mongosh").resolve("bin").resolve("mongosh.js");
    MongoshHome.prepare(home);
    return NodeScript.of(
            concat(
                List.of(node.toString(), main.toString(), "--quiet", "--norc"),
                Arrays.asList(arguments)))
        .withEnvironment(Map.of("HOME", home.toString()));
  }

  /**
   * Installs into a folder of its own and renames it, so that an interrupted install is never taken
   * for a complete one.
   */
  private void install(String name, String version, Path target) {
    try {
      Files.createDirectories(cache);
      Path building = Files.createTempDirectory(cache, "installing-");
      // Neither needs its native add-ons here; building them would need a compiler.
      ScriptResult result =
          NodeScript.of(
                  List.of(
                      npm.toString(),
                      "install",
                      "--prefix",
                      building.toString(),
                      "--no-audit",
                      "--no-fund",
                      "--no-package-lock",
                      "--prefer-offline",
                      "--ignore-scripts",
                      "--omit=optional",
                      name + "@" + version))
              .run(INSTALL_TIMEOUT);
      if (result.exitCode() != 0) {
        DirectoryTree.delete(building);
        throw unavailable("npm could not install " + name + "@" + version + "\n" + result.text());
      }
      DirectoryTree.moveUnlessPresent(building, target);
    } catch (AssertionError notInTime) {
      throw unavailable("npm could not install " + name + ": " + notInTime.getMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write to " + cache, e);
    }
  }

  private static RuntimeException unavailable(String reason) {
    if ("required".equals(System.getProperty(REQUIRED_PROPERTY))) {
      throw new AssertionError(reason);
    }
    abort(reason);
    return new IllegalStateException(reason);
  }

  private static Path cacheDirectory() {
    String configured = System.getProperty(CACHE_PROPERTY);
    return configured != null
        ? Path.of(configured)
        : Path.of(System.getProperty("user.home"), ".cache", "wisent-npm");
  }

  private static Optional<Path> onPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** {@code v20.11.1} to 20; anything else to 0. */
  static int majorOf(String version) {
    String digits = version.strip().replaceFirst("^v", "").replaceFirst("\\..*$", "");
    return digits.matches("\\d{1,6}") ? Integer.parseInt(digits) : 0;
  }

  private static List<String> concat(List<String> head, List<String> tail) {
    return java.util.stream.Stream.concat(head.stream(), tail.stream()).toList();
  }
}
