package dev.wisent.cluster.embedded;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawValue;
import dev.wisent.server.ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A replica set inside this JVM. */
public final class EmbeddedSet implements EmbeddedServers {
  private static final int MEMBERS_MAX = 7;

  private final String name;
  private final List<EmbeddedNode> members;
  private final boolean encrypted;

  private EmbeddedSet(String name, List<EmbeddedNode> members, boolean encrypted) {
    this.name = name;
    this.members = members;
    this.encrypted = encrypted;
  }

  /**
   * Starts the members and initiates the set. Returns when it has a primary and all others have its
   * data.
   *
   * @param directory has a directory for each member
   * @param options changes the options of every member
   */
  public static EmbeddedSet start(
      String name, int count, Path directory, Consumer<ServerOptions.Builder> options) {
    if (count < 1 || count > MEMBERS_MAX) {
      throw new IllegalArgumentException(
          "a set has 1 to " + MEMBERS_MAX + " voting members, not " + count);
    }
    List<ServerOptions> built = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ServerOptions.Builder builder =
          ServerOptions.builder(directory.resolve(name + "-" + i)).port(0).replicaSet(name);
      options.accept(builder);
      built.add(builder.build());
    }
    var set = new EmbeddedSet(name, new ArrayList<>(), built.getFirst().tls().isRequired());
    try (var admin = new AdminCalls(built.getFirst())) {
      set.startMembers(built);
      String first = set.members.getFirst().address();
      if (!isMember(admin, first)) {
        admin.run(first, set::appendInitiate);
      }
      for (EmbeddedNode member : set.members) {
        admin.await("a state with data of " + member.address(), () -> hasData(admin, member));
      }
      admin.await(
          "a primary of " + name,
          () -> set.members.stream().anyMatch(member -> isPrimary(admin, member)));
      return set;
    } catch (RuntimeException | Error e) {
      set.close();
      throw e;
    }
  }

  private void startMembers(List<ServerOptions> options) {
    var started = new EmbeddedNode[options.size()];
    var starts = new ArrayList<Runnable>();
    for (int i = 0; i < started.length; i++) {
      int number = i;
      starts.add(() -> started[number] = EmbeddedNode.start(options.get(number)));
    }
    try {
      Together.run(starts);
    } finally {
      Stream.of(started).filter(Objects::nonNull).forEach(members::add);
    }
  }

  private void appendInitiate(BsonBuilder command) {
    command.startDocument("replSetInitiate").appendString("_id", name).startArray("members");
    for (int i = 0; i < members.size(); i++) {
      command.startDocument(i).appendInt32("_id", i);
      command.appendString("host", members.get(i).address()).end();
    }
    command.end().end();
  }

  private static boolean isMember(AdminCalls admin, String address) {
    return admin.run(address, hello()).get("setName") != null;
  }

  static boolean isPrimary(AdminCalls admin, EmbeddedNode member) {
    return says(admin, member, "isWritablePrimary");
  }

  private static boolean hasData(AdminCalls admin, EmbeddedNode member) {
    return isPrimary(admin, member) || says(admin, member, "secondary");
  }

  private static boolean says(AdminCalls admin, EmbeddedNode member, String state) {
    RawValue value = admin.run(member.address(), hello()).get(state);
    return value != null && value.isTruthy();
  }

  private static Consumer<BsonBuilder> hello() {
    return command -> command.appendInt32("hello", 1);
  }

  public List<EmbeddedNode> members() {
    return List.copyOf(members);
  }

  @Override
  public List<EmbeddedNode> nodes() {
    return members();
  }

  @Override
  public List<EmbeddedNode> entries() {
    return members();
  }

  /** {@code name/host:port,...}, as clusters name their sets. */
  public String connectionString() {
    return name + "/" + addresses();
  }

  /** For drivers. */
  public String uri() {
    return "mongodb://" + addresses() + "/?replicaSet=" + name + (encrypted ? "&tls=true" : "");
  }

  private String addresses() {
    return members.stream().map(EmbeddedNode::address).collect(Collectors.joining(","));
  }

  @Override
  public void close() {
    Together.run(members.stream().<Runnable>map(member -> member::closeWithSet).toList());
  }
}
