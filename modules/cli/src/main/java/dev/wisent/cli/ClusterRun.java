package dev.wisent.cli;

import dev.wisent.bson.BsonBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.bson.BsonDocument;

/** The life of a local cluster: processes, initiation, a connection string, end. */
final class ClusterRun {
  private static final String SHARD = "shard";
  private static final String CONFIG = "config";

  private final ClusterSettings settings;
  private final PrintStream out;
  private final ClusterProcesses processes;
  private final List<ClusterSet> sets = new ArrayList<>();
  private final List<ClusterProcess> routers = new ArrayList<>();
  private int nextPort;

  ClusterRun(ClusterSettings settings, PrintStream out) throws StartException {
    this.settings = settings;
    this.out = out;
    this.nextPort = settings.port();
    this.processes = new ClusterProcesses(settings.processes(), settings.security());
  }

  /** Returns when it was asked to stop and all processes have ended. */
  void run() throws StartException {
    for (String name : new String[] {"TERM", "INT"}) {
      Signals.handle(name, number -> processes.stop());
    }
    try {
      checkPorts();
      start();
      if (!processes.stopped()) {
        greet();
        watch();
      }
    } catch (IOException e) {
      throw new StartException(ExitCode.ABRUPT, "cannot start the cluster: " + e.getMessage(), e);
    } finally {
      processes.end();
    }
  }

  /** All of them, before the first process starts. */
  private void checkPorts() throws StartException {
    List<String> taken = new ArrayList<>();
    for (int port = settings.port(); port < settings.port() + settings.processes(); port++) {
      if (!isFree(port)) {
        taken.add(Integer.toString(port));
      }
    }
    if (!taken.isEmpty()) {
      throw new StartException(
          ExitCode.NETWORK,
          ("the cluster needs the ports %d to %d, and other processes listen on %s; --port chooses"
                  + " the first one")
              .formatted(
                  settings.port(),
                  settings.port() + settings.processes() - 1,
                  String.join(", ", taken)));
    }
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private void start() throws IOException, StartException {
    if (settings.shards() == 0) {
      startSet(settings.setName(), "member", settings.members(), List.of());
      awaitSets();
      return;
    }
    // Clients use the first ports; what is behind the routers follows.
    nextPort = settings.port() + settings.routers();
    ClusterSet config =
        startSet(CONFIG, "config/member", settings.configMembers(), List.of("--configsvr"));
    for (int i = 0; i < settings.shards(); i++) {
      startSet(SHARD + i, SHARD + i + "/member", settings.members(), List.of("--shardsvr"));
    }
    awaitSets();
    startRouters(config);
    addShards();
    var demo = new ClusterDemo(routers.getFirst());
    if (settings.chunkMegabytes() > 0 && !processes.stopped()) {
      demo.chunkSize(settings.chunkMegabytes());
    }
    if (settings.demo() && !processes.stopped()) {
      demo.fill(processes::stopped);
    }
  }

  private ClusterSet startSet(String name, String directory, int members, List<String> own)
      throws IOException {
    var set = new ClusterSet(name, processes);
    for (int i = 0; i < members; i++) {
      Path place = settings.directory().resolve(directory + i);
      set.startMember(place, nextPort++, flags(own));
    }
    sets.add(set);
    return set;
  }

  private List<String> flags(List<String> own) {
    List<String> flags = new ArrayList<>(own);
    flags.addAll(settings.security().flags());
    settings.parameters().forEach(parameter -> flags.addAll(List.of("--setParameter", parameter)));
    return flags;
  }

  private void awaitSets() throws IOException, StartException {
    awaitAnswers();
    for (ClusterSet set : sets) {
      if (!processes.stopped()) {
        set.initiate();
      }
    }
    for (ClusterSet set : sets) {
      set.awaitStates();
    }
  }

  private void awaitAnswers() throws StartException {
    for (ClusterProcess process : processes.all()) {
      processes.await(
          "answer from " + process.address(), () -> process.answer("hello").isPresent());
    }
  }

  private void startRouters(ClusterSet config) throws IOException, StartException {
    for (int i = 0; i < settings.routers(); i++) {
      routers.add(
          processes.start(
              Program.ROUTER,
              settings.directory().resolve("router" + i),
              settings.port() + i,
              flags(List.of("--configdb", config.connectionString()))));
    }
    awaitAnswers();
  }

  /** Adding a shard that is there already changes nothing. */
  private void addShards() throws IOException, StartException {
    for (ClusterSet shard : sets.subList(1, sets.size())) {
      if (processes.stopped()) {
        return;
      }
      add(shard, command -> command.appendString("addShard", shard.connectionString()));
    }
    if (settings.configShard() && !processes.stopped()) {
      add(
          sets.getFirst(),
          command -> command.appendInt32("transitionFromDedicatedConfigServer", 1));
    }
  }

  private void add(ClusterSet shard, Consumer<BsonBuilder> how) throws IOException, StartException {
    BsonDocument reply = routers.getFirst().call(how);
    if (reply.getNumber("ok").intValue() != 1) {
      throw new StartException(
          ExitCode.ABRUPT,
          "cannot add the shard "
              + shard.connectionString()
              + ": "
              + reply.getString("errmsg").getValue());
    }
  }

  private void greet() throws StartException {
    boolean tls = settings.security().requiresTls();
    if (routers.isEmpty()) {
      out.printf(
          "A replica set of %d members is running; its data is in %s. Ctrl-C stops it.%n%n",
          settings.members(), settings.directory());
      out.printf(
          "  mongodb://%s/?replicaSet=%s%s%n%n",
          sets.getFirst().addresses(), settings.setName(), tls ? "&tls=true" : "");
    } else {
      out.printf(
          "A cluster of %d shards is running; its data is in %s. Ctrl-C stops it.%n%n",
          settings.shards() + (settings.configShard() ? 1 : 0), settings.directory());
      out.printf("  mongodb://%s/%s%n%n", addresses(routers), tls ? "?tls=true" : "");
      out.printf("  routers  %s%n", addresses(routers));
      for (ClusterSet set : sets) {
        out.printf("  %s%n", set.connectionString());
      }
      out.println();
    }
    if (settings.security().requiresLogins()) {
      showFirstUser();
    }
    if (settings.demo()) {
      ClusterDemo.show(out);
    }
    out.flush();
  }

  private void showFirstUser() {
    out.printf(
        """
          Clients have to log in. If there is no user yet, create the first one here, in mongosh:

            use admin
            db.createUser({user: "root", pwd: passwordPrompt(), roles: ["root"]})

        """
            .replace("\n", "%n"));
  }

  private static String addresses(List<ClusterProcess> some) {
    return some.stream().map(ClusterProcess::address).collect(Collectors.joining(","));
  }

  /** Until it is asked to stop. Processes may end meanwhile: failing over is worth a try. */
  private void watch() {
    List<ClusterProcess> ended = new ArrayList<>();
    while (!processes.stopped() && ended.size() < processes.all().size()) {
      for (ClusterProcess process : processes.all()) {
        if (!process.alive() && !ended.contains(process)) {
          ended.add(process);
          out.printf(
              "%s ended with code %d; its log is %s. To start it again:%n%n  %s%n%n",
              process.address(), process.exitCode(), process.log(), process.restartCommand());
          out.flush();
        }
      }
      processes.pause();
    }
  }
}
