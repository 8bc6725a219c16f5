package dev.wisent.testkit.replica;

import com.mongodb.MongoException;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.TestServer;
import dev.wisent.testkit.network.MemberNetwork;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.bson.Document;

/** A replica set of real processes. */
public final class ReplicaSetProcesses implements TestServer {

  public static final String NAME = "rs0";

  /** Generous: on a busy machine three JVMs start at the same time. */
  public static final Duration PATIENCE = Duration.ofSeconds(180);

  private final Path directory;
  private final SetOptions options;
  private final MemberNetwork network;
  private final List<Member> members = new ArrayList<>();

  private ReplicaSetProcesses(Path directory, SetOptions options, MemberNetwork network) {
    this.directory = directory;
    this.options = options;
    this.network = network;
  }

  /** Starts the members, initiates the set, and waits for a primary and for its secondaries. */
  public static ReplicaSetProcesses start(Path directory, SetOptions options) {
    ReplicaSetProcesses set = launch(directory, options);
    try {
      set.initiate();
      set.awaitPrimary();
      set.awaitAllReadable();
    } catch (AssertionError | RuntimeException e) {
      AssertionError error = new AssertionError("no replica set: " + e.getMessage(), e);
      set.describeInto(error);
      set.close();
      throw error;
    }
    return set;
  }

  /** Starts the members and waits until they answer; they do not know of each other yet. */
  public static ReplicaSetProcesses launch(Path directory, SetOptions options) {
    ReplicaSetProcesses set = new ReplicaSetProcesses(directory, options, MemberNetwork.open());
    try {
      for (int i = 0; i < options.members(); i++) {
        set.newMember().launch();
      }
      set.members.forEach(Member::awaitReady);
    } catch (AssertionError | RuntimeException e) {
      set.close();
      throw e;
    }
    return set;
  }

  /** One more member that is not in the configuration and has no process yet. */
  public Member newMember() {
    int id = members.size();
    ProcessOptions process =
        ProcessOptions.in(directory.resolve("member" + id))
            .withPort(FreePort.find())
            .on(network.addHost())
            .withArguments("--replSet", NAME)
            .withArguments(options.arguments().toArray(String[]::new))
            .withJvmFlags(options.jvmFlags().toArray(String[]::new));
    Member member = new Member(id, options.process().apply(process));
    members.add(member);
    return member;
  }

  /** Sends {@code replSetInitiate} to the first member. */
  public void initiate() {
    members.getFirst().admin(new Document("replSetInitiate", config()));
  }

  /** The configuration that {@link #initiate()} begins with. */
  public Document config() {
    List<Document> entries = new ArrayList<>();
    for (Member member : members) {
      Document entry = new Document("_id", member.id()).append("host", member.address());
      entry.putAll(options.memberConfig().apply(member.id()));
      entries.add(entry);
    }
    Document config = new Document("_id", NAME).append("members", entries);
    return options.settings().isEmpty() ? config : config.append("settings", options.settings());
  }

  public List<Member> members() {
    return Collections.unmodifiableList(members);
  }

  public Member member(int id) {
    return members.get(id);
  }

  /** The connection string of the whole set. */
  @Override
  public String uri() {
    return members.stream()
        .map(Member::address)
        .collect(Collectors.joining(",", "mongodb://", "/?replicaSet=" + NAME));
  }

  /** The member that says it is the primary; of two, the one with the newer term. */
  public Optional<Member> primary() {
    Member newest = null;
    Document electionId = null;
    for (Member member : members) {
      Optional<Document> hello = helloOf(member);
      if (hello.isEmpty() || !hello.get().getBoolean("isWritablePrimary", false)) {
        continue;
      }
      if (newest == null
          || hello.get().getObjectId("electionId").compareTo(electionId.getObjectId("electionId"))
              > 0) {
        newest = member;
        electionId = hello.get();
      }
    }
    return Optional.ofNullable(newest);
  }

  private static Optional<Document> helloOf(Member member) {
    if (!member.running() || member.paused()) {
      return Optional.empty();
    }
    try {
      return Optional.of(member.hello());
    } catch (MongoException unreachable) {
      return Optional.empty();
    }
  }

  public Member awaitPrimary() {
    return Eventually.yields("a primary", PATIENCE, this::primary);
  }

  /** Waits until every member is a primary, a secondary or an arbiter. */
  public void awaitAllReadable() {
    Member.awaitReadable(members, PATIENCE);
  }

  /** Members that are not the primary. */
  public List<Member> secondaries() {
    Member primary = awaitPrimary();
    return members.stream().filter(member -> member != primary).toList();
  }

  /** Whether {@link #cutOff} is possible on this machine. */
  public boolean cuttable() {
    return network.cuttable();
  }

  /** Cuts a member off from all others, until {@link #heal()}; clients still reach it. */
  public void cutOff(Member member) {
    for (Member other : members) {
      if (other != member) {
        network.cut(member.host(), other.host());
      }
    }
  }

  public void heal() {
    network.heal();
  }

  /** Adds what the members logged to a failure. */
  public void describeInto(Throwable failure) {
    for (Member member : members) {
      failure.addSuppressed(
          new AssertionError("log of member " + member.id() + ":\n" + member.logTail()));
    }
  }

  /** Ends all processes and removes their network; data and logs stay. */
  @Override
  public void close() {
    try {
      for (Member member : members) {
        member.close();
      }
    } finally {
      network.close();
    }
  }
}
