package dev.wisent.cli;

import dev.wisent.base.Clock;
import dev.wisent.bson.BsonBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;

/** The life of a local cluster: members, initiation, a connection string, end. */
final class ClusterRun {
  private static final long START_SECONDS_MAX = 120;
  private static final long POLL_MILLIS = 100;
  private static final Set<String> STATES_WITH_DATA = Set.of("PRIMARY", "SECONDARY");
  private static final String PRIMARY = "isWritablePrimary";

  private final ClusterSettings settings;
  private final PrintStream out;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<ClusterMember> members = new ArrayList<>();

  ClusterRun(ClusterSettings settings, PrintStream out) {
    this.settings = settings;
    this.out = out;
  }

  /** Returns when it was asked to stop and all members have ended. */
  void run() throws StartException {
    for (String name : new String[] {"TERM", "INT"}) {
      Signals.handle(name, number -> stop.countDown());
    }
    try {
      startMembers();
      if (stopped()) {
        return;
      }
      initiate();
      awaitStates();
      if (!stopped()) {
        greet();
        watch();
      }
    } catch (IOException e) {
      throw new StartException(ExitCode.ABRUPT, "cannot start the cluster: " + e.getMessage(), e);
    } finally {
      members.forEach(ClusterMember::requestStop);
      members.forEach(ClusterMember::awaitEnd);
    }
  }

  private boolean stopped() {
    return stop.getCount() == 0;
  }

  private void startMembers() throws IOException, StartException {
    for (int i = 0; i < settings.members(); i++) {
      members.add(ClusterMember.start(settings, i));
    }
    for (ClusterMember member : members) {
      await("answer from " + member.address(), () -> member.answer("hello").isPresent());
    }
  }

  private void initiate() throws IOException, StartException {
    for (ClusterMember member : members) {
      Optional<BsonDocument> hello = member.answer("hello");
      if (hello.isPresent() && hello.get().containsKey("setName")) {
        checkSame(hello.get());
        return;
      }
    }
    BsonDocument reply =
        members.getFirst().call(body -> config(body.startDocument("replSetInitiate")).end());
    if (reply.getNumber("ok").intValue() != 1) {
      throw new StartException(
          ExitCode.ABRUPT, "cannot initiate the set: " + reply.getString("errmsg").getValue());
    }
  }

  private BsonBuilder config(BsonBuilder config) {
    config.appendString("_id", settings.setName()).startArray("members");
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
          "the set in "
              + settings.directory()
              + " has the members "
              + known
              + "; use the same --members and --port, or another --dbpath");
    }
  }

  /** A client finds a primary, and every other member to read from. */
  private void awaitStates() throws StartException {
    await("primary", () -> members.stream().anyMatch(member -> says(member, PRIMARY)));
    for (ClusterMember member : members) {
      await(
          "copy of the data on " + member.address(),
          () -> says(member, PRIMARY) || says(member, "secondary"));
    }
    // What rs.status() shows comes by heartbeats, a moment later.
    await(
        "primary that knows of all members",
        () -> members.stream().anyMatch(member -> says(member, PRIMARY) && showsAll(member)));
  }

  /** Whether every member is shown with a copy of the data. */
  private boolean showsAll(ClusterMember primary) {
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

  private static boolean says(ClusterMember member, String state) {
    return member
        .answer("hello")
        .map(hello -> hello.getBoolean(state, BsonBoolean.FALSE).getValue())
        .orElse(false);
  }

  /** Returns when the condition holds, or it was asked to stop; fails when a member has ended. */
  private void await(String what, BooleanSupplier condition) throws StartException {
    Clock clock = Clock.system();
    long deadline = clock.monotonicNanos() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
    while (!stopped() && !condition.getAsBoolean()) {
      for (ClusterMember member : members) {
        if (!member.alive()) {
          throw new StartException(
              ExitCode.ABRUPT,
              "%s ended with code %d; its log is %s"
                  .formatted(member.address(), member.exitCode(), member.log()));
        }
      }
      if (clock.monotonicNanos() > deadline) {
        throw new StartException(
            ExitCode.ABRUPT, "no " + what + " within " + START_SECONDS_MAX + " s");
      }
      pause();
    }
  }

  private void greet() {
    out.printf(
        "A replica set of %d members is running; its data is in %s. Ctrl-C stops it.%n%n",
        members.size(), settings.directory());
    out.printf(
        "  mongodb://%s/?replicaSet=%s%n%n",
        members.stream().map(ClusterMember::address).collect(Collectors.joining(",")),
        settings.setName());
    out.flush();
  }

  /** Until it is asked to stop. Members may end meanwhile: failing over is worth a try. */
  private void watch() {
    List<ClusterMember> ended = new ArrayList<>();
    while (!stopped() && ended.size() < members.size()) {
      for (ClusterMember member : members) {
        if (!member.alive() && !ended.contains(member)) {
          ended.add(member);
          out.printf(
              "%s ended with code %d; its log is %s. To start it again:%n%n  %s%n%n",
              member.address(), member.exitCode(), member.log(), member.restartCommand());
          out.flush();
        }
      }
      pause();
    }
  }

  private void pause() {
    try {
      stop.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      // The interrupt asks this thread to end, and with it the cluster.
      Thread.currentThread().interrupt();
      stop.countDown();
    }
  }
}
