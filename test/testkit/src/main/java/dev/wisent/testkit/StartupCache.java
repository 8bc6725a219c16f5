package dev.wisent.testkit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What JVMs of servers know from a training run, so that not each of them loads and links thousands
 * of classes. A JVM takes only classes of jars from it: it exists in a build that makes them, as
 * {@code mvn verify} does. Without it servers start as they always do. Thread-safe.
 */
final class StartupCache {
  private static final List<String> TRAINING_FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-Xmx384m",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");
  private static final long TRAINING_SECONDS_MAX = 180;

  /** Made when the first server is started; the last one of the constants, which it needs. */
  private static final StartupCache OF_THIS_JVM = find();

  private final String classPath;

  /** Null if there is none. */
  private final Path file;

  private StartupCache(String classPath, Path file) {
    this.classPath = classPath;
    this.file = file;
  }

  static StartupCache get() {
    return OF_THIS_JVM;
  }

  String classPath() {
    return classPath;
  }

  /** What a JVM is told of it. One with another collector may not be able to use it. */
  List<String> flags() {
    return file == null ? List.of() : List.of("-XX:AOTCache=" + file, "-Xlog:aot*=off,cds*=off");
  }

  private static StartupCache find() {
    String all = testClassPath();
    List<String> jars =
        Stream.of(all.split(File.pathSeparator)).filter(entry -> entry.endsWith(".jar")).toList();
    Path target = Path.of("target").toAbsolutePath();
    if (!Files.isDirectory(target) || jars.stream().noneMatch(StartupCache::isOfServers)) {
      return new StartupCache(all, null);
    }
    String servers = String.join(File.pathSeparator, jars);
    Path file = target.resolve("startup.aot");
    try {
      if (isNewerThan(file, jars) || train(servers, file)) {
        return new StartupCache(servers, file);
      }
    } catch (IOException e) {
      System.err.println("No start-up cache of servers: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new StartupCache(all, null);
  }

  /** Surefire may start the test JVM with a manifest-only jar and keep the real path here. */
  private static String testClassPath() {
    String surefire = System.getProperty("surefire.test.class.path");
    return surefire != null ? surefire : System.getProperty("java.class.path");
  }

  private static boolean isOfServers(String jar) {
    return Path.of(jar).getFileName().toString().startsWith("wisent-cli-");
  }

  private static boolean isNewerThan(Path file, List<String> jars) throws IOException {
    if (!Files.exists(file)) {
      return false;
    }
    for (String jar : jars) {
      if (Files.getLastModifiedTime(Path.of(jar)).compareTo(Files.getLastModifiedTime(file)) >= 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean train(String classPath, Path file)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("wisent-training");
    try {
      Files.deleteIfExists(file);
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(TRAINING_FLAGS);
      command.addAll(List.of("-XX:AOTCacheOutput=" + file, "-cp", classPath));
      command.addAll(List.of(ServerProcess.MAIN_CLASS, "train", data.toString()));
      Process training =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(file.resolveSibling("startup.log").toFile())
              .start();
      if (!training.waitFor(TRAINING_SECONDS_MAX, TimeUnit.SECONDS)) {
        training.destroyForcibly().waitFor();
      }
      return training.exitValue() == 0 && Files.exists(file);
    } finally {
      DirectoryTree.delete(data);
    }
  }
}
