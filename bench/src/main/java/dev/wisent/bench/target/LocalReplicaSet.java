package dev.wisent.bench.target;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.bench.process.ChildProcess;
import dev.wisent.bench.process.LoopbackPort;
import dev.wisent.bench.process.ProcessTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.Document;

/** A replica set on this machine, one process for each member. Used by one thread. */
public final class LocalReplicaSet implements AutoCloseable {
  private static final String DEFAULT_NAME = "bench";
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final String name;
  private final List<String> command;
  private final List<String> flags;
  private final Path directory;
  private final int size;
  private final List<Member> members = new ArrayList<>();

  /** A member: where it is, and its process as long as it has one. */
  private static final class Member {
    final int number;
    final InetSocketAddress address;
    final MongoClient client;
    ServerProcess process;

    Member(int number, int port) {
      this.number = number;
      this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      this.client = MongoClients.create("mongodb://" + name() + "/?directConnection=true");
    }

    String name() {
      return "127.0.0.1:" + address.getPort();
    }

    Document admin(Document request) {
      return client.getDatabase("admin").runCommand(request);
    }

    boolean says(String field) {
      if (process == null) {
        return false;
      }
      try {
        return admin(new Document("hello", 1)).getBoolean(field, false);
      } catch (MongoException unreachable) {
        return false;
      }
    }
  }

  /**
   * @param command words of the command that runs a server, to which flags are added
   */
  public LocalReplicaSet(List<String> command, int size, Path directory) {
    this(DEFAULT_NAME, command, List.of(), size, directory);
  }

  /**
   * @param flags of every member, beside those that each one needs
   */
  LocalReplicaSet(String name, List<String> command, List<String> flags, int size, Path directory) {
    this.name = name;
    this.command = List.copyOf(command);
    this.flags = List.copyOf(flags);
    this.size = size;
    this.directory = directory;
  }

  /** Starts and initiates it; returns when all members serve. */
  public void start() throws Exception {
    List<Document> config = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Member member = new Member(i, LoopbackPort.free());
      members.add(member);
      config.add(new Document("_id", i).append("host", member.name()));
    }
    for (Member member : members) {
      launch(member);
    }
    for (Member member : members) {
      awaitAnswer(member);
    }
    members
        .getFirst()
        .admin(
            new Document("replSetInitiate", new Document("_id", name).append("members", config)));
    awaitWhole();
  }

  private void launch(Member member) throws IOException {
    Path memberDirectory = directory.resolve("member" + member.number);
    Path data = Files.createDirectories(memberDirectory.resolve("data"));
    List<String> words = new ArrayList<>(command);
    words.addAll(List.of("--port", Integer.toString(member.address.getPort())));
    words.addAll(List.of("--dbpath", data.toString(), "--bind_ip", "127.0.0.1"));
    words.addAll(List.of("--replSet", name));
    words.addAll(flags);
    member.process = ServerProcess.start(words, memberDirectory, ChildProcess.StopSignal.TERM);
  }

  private static void awaitAnswer(Member member) throws Exception {
    member.process.awaitAnswer(
        START_TIMEOUT,
        () -> {
          try (WireConnection connection = WireConnection.open(member.address)) {
            connection.hello();
            return true;
          }
        });
  }

  /** Returns when there is a primary and all others are secondaries. */
  public void awaitWhole() throws Exception {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (System.nanoTime() < deadline) {
      long secondaries = members.stream().filter(member -> member.says("secondary")).count();
      if (primary().isPresent() && secondaries == size - 1) {
        return;
      }
      Thread.sleep(POLL_INTERVAL);
    }
    throw new IOException("the members did not come together in " + START_TIMEOUT);
  }

  private Optional<Member> primary() {
    return members.stream().filter(member -> member.says("isWritablePrimary")).findFirst();
  }

  /** Takes the primary's power away; returns its number. */
  public int killPrimary() throws IOException {
    Member member = primary().orElseThrow(() -> new IOException("there is no primary"));
    member.process.kill();
    member.process = null;
    return member.number;
  }

  /** Starts a member again that was killed. */
  public void restart(int number) throws Exception {
    launch(members.get(number));
    awaitAnswer(members.get(number));
  }

  public String uri() {
    return members.stream()
        .map(Member::name)
        .collect(Collectors.joining(",", "mongodb://", "/?replicaSet=" + name));
  }

  /** The set and its members, as other servers are told of it. */
  String connectionString() {
    return members.stream().map(Member::name).collect(Collectors.joining(",", name + "/", ""));
  }

  int size() {
    return size;
  }

  Path directory() {
    return directory;
  }

  InetSocketAddress firstAddress() {
    return members.getFirst().address;
  }

  Optional<ProcessTree> processes() {
    return ProcessTree.supported() ? Optional.of(new ProcessTree(pids())) : Optional.empty();
  }

  List<Long> pids() {
    return members.stream().map(member -> member.process.pid()).toList();
  }

  Optional<String> death() {
    return members.stream()
        .filter(member -> member.process != null)
        .flatMap(member -> member.process.death().stream())
        .findFirst();
  }

  @Override
  public void close() {
    for (Member member : members) {
      member.client.close();
      if (member.process != null) {
        member.process.close();
      }
    }
  }
}
