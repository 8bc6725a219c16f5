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

  private final Deployment deployment;
  private final Surroundings surroundings;
  private final Map<String, MongoClient> clients = new ConcurrentHashMap<>();

  /** Other addresses of servers that are known already. */
  private final Set<String> aliases = new HashSet<>();

  Members(Deployment deployment, Surroundings surroundings) {
    this.deployment = deployment;
    this.surroundings = surroundings;
  }

  /** Those of the connection string. */
  void addSeeds() {
    List<ServerAddress> hosts = deployment.settings().getClusterSettings().getHosts();
    hosts.forEach(host -> add(host.getHost() + ":" + host.getPort()));
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
  void discover() {
    Map<BsonValue, String> byProcess = new HashMap<>();
    for (String known : List.copyOf(new TreeMap<>(clients).keySet())) {
      try {
        Set<String> found = new LinkedHashSet<>();
        BsonDocument hello = ask(known, new BsonDocument("hello", new BsonInt32(1)));
        BsonValue process =
            hello.getDocument("topologyVersion", new BsonDocument()).get("processId");
        if (process != null && byProcess.putIfAbsent(process, known) != null) {
          aliases.add(known);
          clients.remove(known).close();
          continue;
        }
        boolean router = hello.getString("msg", new BsonString("")).getValue().equals("isdbgrid");
        for (String list : List.of("hosts", "passives", "arbiters")) {
          hello
              .getArray(list, new BsonArray())
              .forEach(host -> found.add(host.asString().getValue()));
        }
        if (router) {
          ofCluster(known, found);
        }
        found.forEach(this::add);
      } catch (MongoException e) {
        // Its row says that it does not answer.
      }
    }
  }

  private void ofCluster(String router, Set<String> found) {
    BsonDocument map =
        ask(router, new BsonDocument("getShardMap", new BsonInt32(1))).getDocument("map");
    for (BsonValue set : map.values()) {
      String hosts = set.asString().getValue().replaceFirst("^.*/", "");
      found.addAll(Arrays.asList(hosts.split(",")));
    }
    clients
        .get(router)
        .getDatabase("config")
        .getCollection("mongos", BsonDocument.class)
        .find()
        .forEach(other -> found.add(other.getString("_id").getValue()));
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
