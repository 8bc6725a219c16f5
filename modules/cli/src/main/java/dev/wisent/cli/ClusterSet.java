package dev.wisent.cli;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/** A replica set of a local cluster. */
final class ClusterSet {
  private static final Set<String> STATES_WITH_DATA = Set.of("PRIMARY", "SECONDARY");
  private static final String PRIMARY = "isWritablePrimary";

  private final String name;
  private final ClusterProcesses processes;
  private final List<ClusterProcess> members = new ArrayList<>();

  ClusterSet(String name, ClusterProcesses processes) {
    this.name = name;
    this.processes = processes;
  }

  /** Starts one more member. */
  void startMember(Path directory, int port, List<String> own) throws IOException {
    List<String> flags = new ArrayList<>();
    flags.addAll(List.of("--dbpath", directory.resolve("data").toString()));
    flags.addAll(List.of("--replSet", name));
    flags.addAll(own);
    members.add(processes.start(Program.SERVER, directory, port, flags));
  }

  /** {@code host:port,...}. */
  String addresses() {
    return members.stream().map(ClusterProcess::address).collect(Collectors.joining(","));
  }

  /** {@code name/host:port,...}, as clusters name their sets. */
  String connectionString() {
    return name + "/" + addresses();
  }

  /** Initiates the set unless it was before. All members answer. */
  void initiate() throws IOException, StartException {
    Optional<BsonDocument> known = known();
    if (known.isEmpty()) {
      BsonDocument reply =
          members.getFirst().call(body -> config(body.startDocument("replSetInitiate")).end());
      if (reply.getNumber("ok").intValue() == 1) {
        return;
      }
      if (reply.getNumber("code").intValue() != ErrorCode.ALREADY_INITIALIZED.code()) {
        throw new StartException(
            ExitCode.ABRUPT, "cannot initiate the set: " + reply.getString("errmsg").getValue());
      }
      // A member that still reads its log does not tell of its set yet.
      processes.await("configuration of " + name, () -> known().isPresent());
      known = known();
    }
    if (known.isPresent()) {
      checkSame(known.get());
    }
  }

  /** What a member that knows its set says of it. */
  private Optional<BsonDocument> known() {
    return members.stream()
        .map(member -> member.answer("hello"))
        .flatMap(Optional::stream)
        .filter(hello -> hello.containsKey("setName"))
        .findFirst();
  }

  private BsonBuilder config(BsonBuilder config) {
    config.appendString("_id", name).startArray("members");
    for (int i = 0; i < members.size(); i++) {
      config.startDocument(i).appendInt32("_id", i);
      config.appendString("host", members.get(i).address()).end();
    }
    return config.end();
  }

  /** The data may come from a run with other members: those would wait for each other for ever. */
  private void checkSame(BsonDocument hello) throws StartException {
    TreeSet<String> known = new TreeSet<>();
    for (String field : new String[] {"hosts", "passives", "arbiters"}) {
      hello.getArray(field, new BsonArray()).forEach(host -> known.add(host.asString().getValue()));
    }
    TreeSet<String> started = new TreeSet<>();
    members.forEach(member -> started.add(member.address()));
    if (!known.equals(started)) {
      throw StartException.badOption(
          "the set "
              + name
              + " has the members "
              + known
              + "; use the same --members and --port, or another --dbpath");
    }
  }

  /** A client finds a primary, and every other member to read from. */
  void awaitStates() throws StartException {
    processes.await(
        "primary of " + name, () -> members.stream().anyMatch(member -> says(member, PRIMARY)));
    for (ClusterProcess member : members) {
      processes.await(
          "copy of the data on " + member.address(),
          () -> says(member, PRIMARY) || says(member, "secondary"));
    }
    // What rs.status() shows comes by heartbeats, a moment later.
    processes.await(
        "primary that knows of all members",
        () -> members.stream().anyMatch(member -> says(member, PRIMARY) && showsAll(member)));
  }

  /** Whether every member is shown with a copy of the data. */
  private boolean showsAll(ClusterProcess primary) {
    BsonArray shown =
        primary
            .answer("replSetGetStatus")
            .map(status -> status.getArray("members", new BsonArray()))
            .orElseGet(BsonArray::new);
    return shown.size() == members.size()
        && shown.stream()
            .map(member -> member.asDocument().getString("stateStr").getValue())
            .allMatch(STATES_WITH_DATA::contains);
  }

  private static boolean says(ClusterProcess member, String state) {
    return member
        .answer("hello")
        .map(hello -> hello.getBoolean(state, BsonBoolean.FALSE).getValue())
        .orElse(false);
  }
}
