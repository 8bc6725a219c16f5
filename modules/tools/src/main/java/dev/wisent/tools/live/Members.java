package dev.wisent.tools.live;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterConnectionMode;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The servers whose figures are shown, each with a connection of its own. */
final class Members implements AutoCloseable {
  private static final int WAIT_SECONDS = 5;
  private static final Duration SILENT = Duration.ofMinutes(5);

  private final Deployment deployment;
  private final Surroundings surroundings;
  private final Map<String, MongoClient> clients = new ConcurrentHashMap<>();

  /** Other addresses of servers that are known already. */
  private final Set<String> aliases = new HashSet<>();

  private final Set<String> seeds = new HashSet<>();

  Members(Deployment deployment, Surroundings surroundings) {
    this.deployment = deployment;
    this.surroundings = surroundings;
  }

  /** Those of the connection string. */
  void addSeeds() {
    List<ServerAddress> hosts = deployment.settings().getClusterSettings().getHosts();
    hosts.forEach(host -> seeds.add(host.getHost() + ":" + host.getPort()));
    seeds.forEach(this::add);
  }

  private void add(String address) {
    if (aliases.contains(address)) {
      return;
    }
    clients.computeIfAbsent(
        address,
        ignored -> {
          ServerAddress host = new ServerAddress(address);
          return MongoClients.create(
              MongoClientSettings.builder(deployment.settings())
                  .applyToClusterSettings(
                      cluster ->
                          cluster
                              .mode(ClusterConnectionMode.SINGLE)
                              .requiredReplicaSetName(null)
                              .hosts(List.of(host))
                              .serverSelectionTimeout(WAIT_SECONDS, TimeUnit.SECONDS))
                  .build());
        });
  }

  /** Asks a router for all routers, shards and config servers, and members for all of their set. */
  void discover() throws ToolException {
    Map<BsonValue, String> byProcess = new HashMap<>();
    askAll(new BsonDocument("hello", new BsonInt32(1)))
        .forEach(
            (known, hello) -> {
              try {
                discover(known, hello, byProcess);
              } catch (MongoException e) {
                // Its row says that it does not answer.
              }
            });
  }

  private void discover(String known, BsonDocument hello, Map<BsonValue, String> byProcess) {
    if (!clients.containsKey(known)) {
      return; // a router that has ended
    }
    BsonValue process = hello.getDocument("topologyVersion", new BsonDocument()).get("processId");
    if (process != null && byProcess.putIfAbsent(process, known) != null) {
      aliases.add(known);
      clients.remove(known).close();
      return;
    }
    Set<String> found = new LinkedHashSet<>();
    for (String list : List.of("hosts", "passives", "arbiters")) {
      hello.getArray(list, new BsonArray()).forEach(host -> found.add(host.asString().getValue()));
    }
    if (hello.getString("msg", new BsonString("")).getValue().equals("isdbgrid")) {
      ofCluster(known, hello, found);
    }
    found.forEach(this::add);
  }

  private void ofCluster(String router, BsonDocument hello, Set<String> found) {
    BsonDocument map =
        ask(router, new BsonDocument("getShardMap", new BsonInt32(1))).getDocument("map");
    for (BsonValue set : map.values()) {
      String hosts = set.asString().getValue().replaceFirst("^.*/", "");
      found.addAll(Arrays.asList(hosts.split(",")));
    }
    BsonValue now = hello.get("localTime");
    for (BsonDocument other :
        clients
            .get(router)
            .getDatabase("config")
            .getCollection("mongos", BsonDocument.class)
            .find()) {
      String address = other.getString("_id").getValue();
      if (isSilent(other.get("ping"), now)) {
        forget(address);
      } else {
        found.add(address);
      }
    }
  }

  /** Routers say now and then that they are there; what is written stays after their end. */
  private static boolean isSilent(BsonValue ping, BsonValue now) {
    return ping != null
        && now != null
        && ping.isDateTime()
        && now.isDateTime()
        && now.asDateTime().getValue() - ping.asDateTime().getValue() > SILENT.toMillis();
  }

  private void forget(String address) {
    MongoClient client = seeds.contains(address) ? null : clients.remove(address);
    if (client != null) {
      client.close();
    }
  }

  private BsonDocument ask(String address, BsonDocument command) {
    return clients
        .get(address)
        .getDatabase("admin")
        .runCommand(command, ReadPreference.nearest(), BsonDocument.class);
  }

  /** Asks all; where there is no answer, the document has only the field {@code errmsg}. */
  Map<String, BsonDocument> askAll(BsonDocument command) throws ToolException {
    Map<String, BsonDocument> answers = new ConcurrentHashMap<>();
    List<Workers.Task> tasks = new ArrayList<>();
    for (String address : clients.keySet()) {
      tasks.add(
          () -> {
            try {
              answers.put(address, ask(address, command));
            } catch (MongoException e) {
              String why = Deployment.failure("no data", e).getMessage();
              answers.put(address, new BsonDocument("errmsg", new BsonString(why)));
            }
          });
    }
    Workers.run(surroundings.scheduler(), "ask", tasks.size(), tasks);
    return new TreeMap<>(answers);
  }

  @Override
  public void close() {
    clients.values().forEach(MongoClient::close);
  }
}
