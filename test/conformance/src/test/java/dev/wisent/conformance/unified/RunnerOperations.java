package dev.wisent.conformance.unified;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The operations whose object is {@code testRunner}: fail points and assertions. */
final class RunnerOperations {

  private final MongoClient internal;
  private final EntityFactory entityFactory;
  private final OperationTable<MongoClient> table = new OperationTable<>("test runner");
  private final List<FailPoint> failPoints = new ArrayList<>();

  /**
   * One that a case has turned on.
   *
   * @param uri of the server that has it; null for that of the run
   */
  private record FailPoint(String uri, String name) {}

  /**
   * @param internal a client that no case changes or observes
   */
  RunnerOperations(MongoClient internal, EntityFactory entityFactory) {
    this.internal = internal;
    this.entityFactory = entityFactory;
    table.add("failPoint", this::failPoint);
    table.add("targetedFailPoint", this::targetedFailPoint);
    table.add("createEntities", this::createEntities);
    table.add("assertCollectionExists", (client, call) -> assertCollection(client, call, true));
    table.add("assertCollectionNotExists", (client, call) -> assertCollection(client, call, false));
    table.add("assertIndexExists", (client, call) -> assertIndex(client, call, true));
    table.add("assertIndexNotExists", (client, call) -> assertIndex(client, call, false));
    table.add("assertSameLsidOnLastTwoCommands", (client, call) -> assertLsids(call, true));
    table.add("assertDifferentLsidOnLastTwoCommands", (client, call) -> assertLsids(call, false));
    table.add("assertSessionDirty", (client, call) -> assertDirty(call, true));
    table.add("assertSessionNotDirty", (client, call) -> assertDirty(call, false));
    table.add("assertSessionPinned", (client, call) -> assertPinned(call, true));
    table.add("assertSessionUnpinned", (client, call) -> assertPinned(call, false));
    table.add("assertSessionTransactionState", (client, call) -> assertTransactionState(call));
    table.add("assertNumberConnectionsCheckedOut", (client, call) -> assertCheckedOut(call));
  }

  OperationResult run(String name, Call call) {
    return table.run(name, internal, call);
  }

  /** Turns off what a case turned on, whether or not it got to its end. */
  void disableFailPoints() {
    for (FailPoint failPoint : failPoints) {
      BsonDocument off = new BsonDocument("configureFailPoint", new BsonString(failPoint.name()));
      off.put("mode", new BsonString("off"));
      if (failPoint.uri() == null) {
        internal.getDatabase("admin").runCommand(off);
      } else {
        runAt(failPoint.uri(), off);
      }
    }
    failPoints.clear();
  }

  private static void runAt(String uri, BsonDocument command) {
    try (MongoClient client = MongoClients.create(uri)) {
      client.getDatabase("admin").runCommand(command);
    }
  }

  /** On the router that a session is pinned to. */
  private OperationResult targetedFailPoint(MongoClient client, Call call) {
    ServerAddress address = call.session().orElseThrow().getPinnedServerAddress();
    assertThat(address).as("the router of the session").isNotNull();
    BsonDocument failPoint = call.arguments().document("failPoint");
    String uri = "mongodb://" + address + "/";
    runAt(uri, failPoint);
    failPoints.add(new FailPoint(uri, failPoint.getString("configureFailPoint").getValue()));
    return OperationResult.none();
  }

  private OperationResult failPoint(MongoClient client, Call call) {
    BsonDocument failPoint = call.arguments().document("failPoint");
    call.entities()
        .find(call.arguments().string("client"), ClientEntity.class)
        .client()
        .getDatabase("admin")
        .runCommand(failPoint);
    failPoints.add(new FailPoint(null, failPoint.getString("configureFailPoint").getValue()));
    return OperationResult.none();
  }

  private OperationResult createEntities(MongoClient client, Call call) {
    call.arguments()
        .documents("entities")
        .forEach(element -> entityFactory.create(element, call.entities()));
    return OperationResult.none();
  }

  private static OperationResult assertCollection(MongoClient client, Call call, boolean expected) {
    String name = call.arguments().string("collectionName");
    List<String> names =
        client
            .getDatabase(call.arguments().string("databaseName"))
            .listCollectionNames()
            .into(new ArrayList<>());
    assertThat(names.contains(name))
        .as("collection %s exists in %s", name, names)
        .isEqualTo(expected);
    return OperationResult.none();
  }

  private static OperationResult assertIndex(MongoClient client, Call call, boolean expected) {
    String name = call.arguments().string("indexName");
    List<String> names =
        client
            .getDatabase(call.arguments().string("databaseName"))
            .getCollection(call.arguments().string("collectionName"))
            .listIndexes()
            .map(index -> index.getString("name"))
            .into(new ArrayList<>());
    assertThat(names.contains(name)).as("index %s exists in %s", name, names).isEqualTo(expected);
    return OperationResult.none();
  }

  private static OperationResult assertLsids(Call call, boolean same) {
    List<BsonValue> lsids =
        call
            .entities()
            .find(call.arguments().string("client"), ClientEntity.class)
            .commands()
            .lastTwo()
            .stream()
            .map(command -> command.get("lsid"))
            .toList();
    assertThat(lsids).as("session ids of the last two commands").doesNotContainNull();
    assertThat(lsids.get(0).equals(lsids.get(1))).as("same session: %s", lsids).isEqualTo(same);
    return OperationResult.none();
  }

  private static OperationResult assertDirty(Call call, boolean dirty) {
    String id = call.arguments().string("session");
    ClientSession session = call.entities().find(id, ClientSession.class);
    assertThat(session.getServerSession().isMarkedDirty())
        .as("session %s is marked dirty", id)
        .isEqualTo(dirty);
    return OperationResult.none();
  }

  private static OperationResult assertPinned(Call call, boolean pinned) {
    ClientSession session = call.session().orElseThrow();
    assertThat(session.getPinnedServerAddress() != null)
        .as("session is pinned to %s", session.getPinnedServerAddress())
        .isEqualTo(pinned);
    return OperationResult.none();
  }

  /** The driver says whether a transaction is in progress, and no more. */
  private static OperationResult assertTransactionState(Call call) {
    String state = call.arguments().string("state");
    boolean active =
        switch (state) {
          case "starting", "in_progress" -> true;
          case "none", "committed", "aborted" -> false;
          default -> throw new IllegalArgumentException("state of a transaction: " + state);
        };
    assertThat(call.session().orElseThrow().hasActiveTransaction())
        .as("a transaction is %s", state)
        .isEqualTo(active);
    return OperationResult.none();
  }

  private static OperationResult assertCheckedOut(Call call) {
    ClientEntity client =
        call.entities().find(call.arguments().string("client"), ClientEntity.class);
    assertThat(client.pool().checkedOut())
        .as("connections checked out")
        .isEqualTo(call.arguments().value("connections").asNumber().intValue());
    return OperationResult.none();
  }
}
