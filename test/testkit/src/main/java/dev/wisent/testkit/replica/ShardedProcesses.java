package dev.wisent.testkit.replica;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.FreePort;
import dev.wisent.testkit.ProcessOptions;
import dev.wisent.testkit.TestServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.bson.Document;

/** A sharded cluster of real processes: config servers, shards and routers. */
public final class ShardedProcesses implements TestServer {
  public static final Duration PATIENCE = Duration.ofSeconds(240);

  private static final String CONFIG = "cfg";

  // Many JVMs that live for minutes on few processors.
  private static final String[] SHORT_LIVED = {
    "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"
  };

  private final Path directory;
  private final List<Member> config = new ArrayList<>();
  private final List<List<Member>> shards = new ArrayList<>();
  private final List<Member> routers = new ArrayList<>();

  /** Of config servers and shards. */
  private final String[] arguments;

  /** What is changed of each process in the end, also of routers. */
  private final UnaryOperator<ProcessOptions> process;

  private ShardedProcesses(
      Path directory, UnaryOperator<ProcessOptions> process, String... arguments) {
    this.directory = directory;
    this.process = process;
    this.arguments = arguments;
  }

  /**
   * Starts everything and adds the shards, named shard0 and so on.
   *
   * @param arguments further ones of config servers and shards
   */
  public static ShardedProcesses start(
      Path directory,
      int shards,
      int members,
      int configMembers,
      int routers,
      String... arguments) {
    return new ShardedProcesses(directory, UnaryOperator.identity(), arguments)
        .started(Collections.nCopies(shards, members), configMembers, routers);
  }

  /**
   * The smallest one: a router, and a config server and a shard of one member each.
   *
   * @param process what is changed of each process
   */
  public static ShardedProcesses startSmall(Path directory, UnaryOperator<ProcessOptions> process) {
    return new ShardedProcesses(directory, process).started(List.of(1), 1, 1);
  }

  /**
   * Starts a config server, shards of so many members, and a router, which know each other by a key
   * file. There are no users yet.
   */
  public static ShardedProcesses startWithKeyFile(
      Path directory, Path keyFile, List<Integer> shardMembers) {
    return new ShardedProcesses(
            directory, options -> options.withArguments("--keyFile", keyFile.toString()))
        .started(shardMembers, 1, 1);
  }

  private ShardedProcesses started(List<Integer> shardMembers, int configMembers, int routerCount) {
    try {
      launchSet(config, CONFIG, "--configsvr", configMembers);
      for (int i = 0; i < shardMembers.size(); i++) {
        List<Member> shard = new ArrayList<>();
        shards.add(shard);
        launchSet(shard, "shard" + i, "--shardsvr", shardMembers.get(i));
      }
      initiate(config, CONFIG);
      for (int i = 0; i < shardMembers.size(); i++) {
        initiate(shards.get(i), "shard" + i);
      }
      for (int i = 0; i < routerCount; i++) {
        newRouter().start();
      }
      addShards();
    } catch (AssertionError | RuntimeException e) {
      describeInto(e);
      close();
      throw e;
    }
    return this;
  }

  private void launchSet(List<Member> members, String name, String role, int count) {
    for (int i = 0; i < count; i++) {
      var member =
          new Member(
              i,
              process.apply(
                  ProcessOptions.in(directory.resolve(name + "-" + i))
                      .withPort(FreePort.find())
                      .withArguments("--replSet", name, role)
                      .withArguments(arguments)
                      .withJvmFlags(SHORT_LIVED)));
      members.add(member);
      member.launch();
    }
  }

  private void initiate(List<Member> members, String name) {
    members.forEach(Member::awaitReady);
    List<Document> entries = new ArrayList<>();
    for (Member member : members) {
      entries.add(new Document("_id", member.id()).append("host", member.address()));
    }
    members
        .getFirst()
        .admin(
            new Document("replSetInitiate", new Document("_id", name).append("members", entries)));
    awaitPrimary(members);
  }

  private void addShards() {
    for (int i = 0; i < shards.size(); i++) {
      routers
          .getFirst()
          .admin(new Document("addShard", connectionString("shard" + i, shards.get(i))));
    }
  }

  private static String connectionString(String name, List<Member> members) {
    return members.stream().map(Member::address).collect(Collectors.joining(",", name + "/", ""));
  }

  /** One more router, without a process yet; clients of {@link #uri()} then know it too. */
  public Member newRouter() {
    int id = routers.size();
    var router =
        new Member(
            id,
            process.apply(
                ProcessOptions.in(directory.resolve("router-" + id))
                    .asRouter()
                    .withPort(FreePort.find())
                    .withArguments("--configdb", connectionString(CONFIG, config))
                    .withJvmFlags(SHORT_LIVED)));
    routers.add(router);
    return router;
  }

  public List<Member> config() {
    return List.copyOf(config);
  }

  public List<Member> shard(int number) {
    return List.copyOf(shards.get(number));
  }

  public List<Member> routers() {
    return List.copyOf(routers);
  }

  /** The connection string of all routers. */
  @Override
  public String uri() {
    return routers.stream()
        .map(Member::address)
        .collect(Collectors.joining(",", "mongodb://", "/"));
  }

  /** The member of a set that says it is the primary. */
  public static Optional<Member> primaryOf(List<Member> members) {
    return members.stream()
        .filter(member -> member.running() && !member.paused())
        .filter(ShardedProcesses::isPrimary)
        .findFirst();
  }

  private static boolean isPrimary(Member member) {
    try {
      return member.hello().getBoolean("isWritablePrimary", false);
    } catch (MongoException unreachable) {
      return false;
    }
  }

  public static Member awaitPrimary(List<Member> members) {
    return Eventually.yields("a primary", PATIENCE, () -> primaryOf(members));
  }

  /** Waits until every config server and member of a shard is a primary or a secondary. */
  public void awaitAllReadable() {
    Member.awaitReadable(config, PATIENCE);
    shards.forEach(members -> Member.awaitReadable(members, PATIENCE));
  }

  /** Documents that a shard's primary has in a collection, asked directly. */
  public long countOn(int shard, String database, String collection) {
    try (MongoClient direct = MongoClients.create(awaitPrimary(shards.get(shard)).directUri())) {
      return direct.getDatabase(database).getCollection(collection).countDocuments();
    }
  }

  /** Adds what the processes logged to a failure. */
  public void describeInto(Throwable failure) {
    all()
        .forEach(
            process ->
                failure.addSuppressed(
                    new AssertionError("log of " + process.address() + ":\n" + process.logTail())));
  }

  /** Routers, config servers and shards. */
  public List<Member> all() {
    List<Member> all = new ArrayList<>(routers);
    all.addAll(config);
    shards.forEach(all::addAll);
    return all;
  }

  @Override
  public void close() {
    all().forEach(Member::close);
  }
}
