package dev.wisent.bench.target;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes targets from what the user wrote. */
public final class TargetFactory {
  public static final String WISENT = "wisent";
  public static final String WISENT_AUTH = "wisent-auth";
  public static final String WISENT_TLS = "wisent-tls";
  public static final String WISENT_TLS_AUTH = "wisent-tls-auth";
  public static final String WISENT_SET = "wisent-set";
  public static final String WISENT_SHARD = "wisent-shard";
  public static final String WISENT_CLUSTER = "wisent-cluster";
  public static final String MONGO_JAVA_SERVER = "mongo-java-server";
  public static final String POSTGRES = "postgres";

  private static final int SET_MEMBERS = 3;
  private static final int SHARDS = 2;
  private static final String URI = "mongodb://";
  private static final List<String> NAMES =
      List.of(
          WISENT,
          WISENT_AUTH,
          WISENT_TLS,
          WISENT_TLS_AUTH,
          WISENT_SET,
          WISENT_SHARD,
          WISENT_CLUSTER,
          MONGO_JAVA_SERVER,
          POSTGRES);

  /**
   * How to run the servers.
   *
   * @param wisentCommand words of the command, to which port and directory are added
   * @param memoryServerHeapMegabytes heap of the JVM that mongo-java-server runs in
   */
  public record Options(
      List<String> wisentCommand,
      Optional<Path> postgresBinDirectory,
      int sharedBuffersMegabytes,
      int memoryServerHeapMegabytes) {}

  private final Options options;
  private final Path workDirectory;

  /** Data directories go below {@code workDirectory}. */
  public TargetFactory(Options options, Path workDirectory) {
    this.options = options;
    this.workDirectory = workDirectory;
  }

  /**
   * Splits a list of targets at its commas. A piece that is no target by itself belongs to the URI
   * before it, since URIs may list several hosts.
   */
  public static List<String> split(String list) {
    List<String> targets = new ArrayList<>();
    for (String piece : list.split(",")) {
      String target = piece.strip();
      if (NAMES.contains(target) || target.contains(URI)) {
        targets.add(target);
      } else if (!targets.isEmpty() && targets.getLast().contains(URI)) {
        targets.add(targets.removeLast() + "," + target);
      } else {
        throw new IllegalArgumentException(
            "unknown target '%s'; known are %s, [name=]mongodb://…"
                .formatted(target, String.join(", ", NAMES)));
      }
    }
    Set<String> names = new HashSet<>();
    for (String target : targets) {
      if (!names.add(nameOf(target))) {
        throw new IllegalArgumentException("two targets are called '" + nameOf(target) + "'");
      }
    }
    return targets;
  }

  /** A running server is called what the user calls it, or by its host. */
  private static String nameOf(String target) {
    int uri = target.indexOf(URI);
    if (uri < 0) {
      return target;
    }
    if (uri > 1 && target.charAt(uri - 1) == '=') {
      return target.substring(0, uri - 1);
    }
    String host = target.substring(uri + URI.length()).replaceFirst("[/?].*", "");
    return host.substring(host.indexOf('@') + 1);
  }

  public Target create(String target) throws IOException {
    int uri = target.indexOf(URI);
    if (uri >= 0) {
      return new UriTarget(nameOf(target), target.substring(uri));
    }
    Path directory = Files.createDirectories(workDirectory.resolve(target));
    return switch (target) {
      case WISENT -> wisent(target, Protection.NONE, directory);
      case WISENT_AUTH -> wisent(target, Protection.LOGINS, directory);
      case WISENT_TLS -> wisent(target, Protection.TLS, directory);
      case WISENT_TLS_AUTH -> wisent(target, Protection.TLS_AND_LOGINS, directory);
      case WISENT_SET ->
          new ReplicaSetTarget(
              WISENT_SET, new LocalReplicaSet(options.wisentCommand(), SET_MEMBERS, directory));
      case WISENT_SHARD ->
          new ReplicaSetTarget(
              WISENT_SHARD,
              new LocalReplicaSet(
                  "shard", options.wisentCommand(), List.of("--shardsvr"), 1, directory));
      case WISENT_CLUSTER ->
          new ClusterTarget(
              WISENT_CLUSTER, new LocalCluster(options.wisentCommand(), SHARDS, directory));
      case MONGO_JAVA_SERVER -> new MongoProcessTarget(memoryServer(), directory);
      case POSTGRES ->
          new PostgresTarget(
              options.postgresBinDirectory(), options.sharedBuffersMegabytes(), directory);
      default -> throw new IllegalArgumentException("unknown target '" + target + "'");
    };
  }

  private Target wisent(String name, Protection protection, Path directory) {
    var spec = new MongoProcessTarget.Spec(name, "Wisent", true, protection, this::wisentCommand);
    return new MongoProcessTarget(spec, directory);
  }

  private List<String> wisentCommand(int port, Path dataDirectory) {
    List<String> command = new ArrayList<>(options.wisentCommand());
    command.addAll(List.of("--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", dataDirectory.toString(), "--bind_ip", "127.0.0.1"));
    return command;
  }

  private MongoProcessTarget.Spec memoryServer() {
    return new MongoProcessTarget.Spec(
        MONGO_JAVA_SERVER,
        "mongo-java-server, memory backend, heap up to "
            + options.memoryServerHeapMegabytes()
            + " MB",
        false,
        Protection.NONE,
        (port, _) ->
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + options.memoryServerHeapMegabytes() + "m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                absoluteClassPath(),
                MemoryServerMain.class.getName(),
                Integer.toString(port)));
  }

  private static String absoluteClassPath() {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.add(Path.of(entry).toAbsolutePath().toString());
    }
    return String.join(File.pathSeparator, entries);
  }
}
