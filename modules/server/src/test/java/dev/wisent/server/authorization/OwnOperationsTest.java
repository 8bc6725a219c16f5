package dev.wisent.server.authorization;

import static dev.wisent.server.authorization.LoggedIn.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCursor;
import dev.wisent.server.harness.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cursors, operations and sessions belong to the users that began them. */
class OwnOperationsTest {
  @RegisterExtension static final LoggedIn SERVER = new LoggedIn();

  private static final String ANN = "ann";
  private static final String BOB = "bob";

  @BeforeAll
  static void users() {
    for (int i = 0; i < 5; i++) {
      SERVER.collection(LoggedIn.ROOT, "shop.a").insertOne(new Document("_id", i));
    }
    SERVER.root("shop", "{create: 'capped', capped: true, size: 4096}");
    SERVER.collection(LoggedIn.ROOT, "shop.capped").insertOne(new Document());
    SERVER.create(ANN, "{role: 'read', db: 'shop'}");
    SERVER.create(BOB, "{role: 'readWrite', db: 'shop'}");
  }

  /** A cursor of no session: a driver takes those of one of its own along. */
  private static long cursor(String user) {
    return SERVER
        .run(user, "shop", "{find: 'a', batchSize: 1}")
        .get("cursor", Document.class)
        .getLong("id");
  }

  private static Document onCursor(String command, long id) {
    return Document.parse(command.replace("ID", "{$numberLong: '" + id + "'}"));
  }

  private static final String KILL = "{killCursors: 'a', cursors: [ID]}";
  private static final String MORE = "{getMore: ID, collection: 'a', batchSize: 1}";

  private static MongoCommandException refusal(String user, Document command) {
    MongoCommandException error = SERVER.failure(user, "shop", command.toJson());
    assertThat(error.getCode()).isEqualTo(13);
    return error;
  }

  @Test
  void cursorsBelongToTheirUsers() {
    try (ClientSession session = SERVER.as(ANN).startSession()) {
      var shop = SERVER.as(ANN).getDatabase("shop");
      long id =
          shop.runCommand(session, Document.parse("{find: 'a', batchSize: 1}"))
              .get("cursor", Document.class)
              .getLong("id");
      assertThat(refusal(BOB, onCursor(MORE, id)).getErrorMessage())
          .isEqualTo("cursor id " + id + " was not created by the authenticated user");
      assertThat(refusal(BOB, onCursor(KILL, id)).getErrorMessage())
          .startsWith("not authorized on shop to execute command { killCursors: \"a\"");
      assertThat(shop.runCommand(session, onCursor(MORE, id))).containsEntry("ok", 1.0);
      assertThat(shop.runCommand(session, onCursor(KILL, id)).getList("cursorsKilled", Long.class))
          .containsExactly(id);
    }
    long other = cursor(ANN);
    assertThat(
            SERVER
                .root("shop", onCursor(KILL, other).toJson())
                .getList("cursorsKilled", Long.class))
        .containsExactly(other);
    assertThat(
            SERVER
                .run(BOB, "shop", onCursor(KILL, other).toJson())
                .getList("cursorsNotFound", Long.class))
        .containsExactly(other);
  }

  @Test
  void aCursorEndsWithItsPrivilege() {
    SERVER.create("carl", "{role: 'read', db: 'shop'}");
    try (ClientSession session = SERVER.as("carl").startSession();
        MongoCursor<Document> cursor =
            SERVER.collection("carl", "shop.a").find(session).batchSize(1).iterator()) {
      cursor.next();
      SERVER.root("admin", "{revokeRolesFromUser: 'carl', roles: [{role: 'read', db: 'shop'}]}");
      assertThatThrownBy(cursor::next)
          .hasMessageContaining(
              "not authorized for getMore with cursor id " + cursor.getServerCursor().getId());
    }
  }

  /**
   * Each is opened by one that may read {@code a} and {@code b}, and is read on without the latter.
   */
  @Test
  void eachCursorEndsWithThePrivilegesOfItsCommand() {
    String longFilter = "'" + "x".repeat(5_000) + "'";
    SERVER.root("shop", "{create: 'b'}");
    SERVER.root("shop", "{createIndexes: 'b', indexes: [{key: {x: 1}, name: 'x_1'}]}");
    SERVER.collection(LoggedIn.ROOT, "shop.b").insertOne(new Document("_id", 1));
    SERVER.createRole("onA", on("shop.a", "'find', 'insert'"));
    SERVER.createRole(
        "onB", on("shop.b", "'find', 'listIndexes', 'insert'"), on("shop.", "'listCollections'"));
    SERVER.create("dora", "'onA'");
    for (String command :
        List.of(
            "{find: 'b', batchSize: 0}",
            "{aggregate: 'b', pipeline: [], cursor: {batchSize: 0}}",
            "{aggregate: 'a', pipeline: [{$unionWith: 'b'}], cursor: {batchSize: 0}}",
            "{aggregate: 'a', pipeline: [{$match: {x: {$ne: %s}}}, {$unionWith: 'b'}],"
                    .formatted(longFilter)
                + " cursor: {batchSize: 0}}",
            "{find: 'b', filter: {x: {$ne: %s}}, batchSize: 0}".formatted(longFilter),
            "{listIndexes: 'b', cursor: {batchSize: 0}}",
            "{listCollections: 1, cursor: {batchSize: 0}}")) {
      SERVER.root("admin", "{grantRolesToUser: 'dora', roles: ['onB']}");
      try (ClientSession session = SERVER.as("dora").startSession()) {
        var shop = SERVER.as("dora").getDatabase("shop");
        Document cursor =
            shop.runCommand(session, Document.parse(command)).get("cursor", Document.class);
        long id = cursor.getLong("id");
        assertThat(id).as(command).isNotZero();
        String name = cursor.getString("ns").substring("shop.".length());
        Document more = onCursor("{getMore: ID, collection: '" + name + "', batchSize: 1}", id);
        assertThat(shop.runCommand(session, more)).as(command).containsEntry("ok", 1.0);
        SERVER.root("admin", "{revokeRolesFromUser: 'dora', roles: ['onB']}");
        assertThatThrownBy(() -> shop.runCommand(session, more))
            .as(command)
            .hasMessageContaining("not authorized for getMore with cursor id " + id);
      }
    }
  }

  private static List<Document> shown(String user, String source) {
    return SERVER
        .as(user)
        .getDatabase("admin")
        .aggregate(
            List.of(
                Document.parse("{$currentOp: " + source + "}"),
                Document.parse("{$match: {ns: 'shop.capped', op: 'getmore'}}")))
        .into(new ArrayList<>());
  }

  private static List<Document> own(String user) {
    return SERVER
        .run(user, "admin", "{currentOp: 1, $ownOps: true, ns: 'shop.capped', op: 'getmore'}")
        .getList("inprog", Document.class);
  }

  /** Waits for what never comes. */
  private static CompletableFuture<Document> waiting(String user) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (ClientSession session = SERVER.as(user).startSession()) {
            var shop = SERVER.as(user).getDatabase("shop");
            String find = "{find: 'capped', tailable: true, awaitData: true}";
            long id =
                shop.runCommand(session, Document.parse(find))
                    .get("cursor", Document.class)
                    .getLong("id");
            String more = "{getMore: ID, collection: 'capped', maxTimeMS: 120000}";
            return shop.runCommand(session, onCursor(more, id));
          }
        });
  }

  @Test
  void operationsBelongToTheirUsers() {
    CompletableFuture<Document> running = waiting(ANN);
    Eventually.await("it runs", () -> shown(ANN, "{}").size() == 1);
    assertThat(own(ANN)).hasSize(1);
    assertThat(shown(BOB, "{}")).isEmpty();
    assertThat(shown(BOB, "{allUsers: false}")).isEmpty();
    assertThat(own(BOB)).isEmpty();
    SERVER.refuses(
        BOB,
        "admin",
        "{currentOp: 1}",
        "{currentOp: 1, $ownOps: false}",
        "{aggregate: 1, pipeline: [{$currentOp: {allUsers: true}}], cursor: {}}");
    List<Document> all = shown(LoggedIn.ROOT, "{allUsers: true}");
    assertThat(all)
        .singleElement()
        .satisfies(
            each ->
                assertThat(each.getList("effectiveUsers", Document.class))
                    .containsExactly(new Document("user", ANN).append("db", "admin")));
    String kill = "{killOp: 1, op: " + all.getFirst().get("opid") + "}";
    SERVER.refuses(BOB, "admin", kill, "{killOp: 1, op: 1999999999}");
    assertThat(running).isNotDone();
    SERVER.allows(ANN, "admin", kill);
    assertThatThrownBy(running::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getCode()).isEqualTo(11601));
  }

  @Test
  void anOperationIsKilledByOneThatMay() {
    SERVER.createRole("kills", "{resource: {cluster: true}, actions: ['killop', 'inprog']}");
    SERVER.create("killer", "'kills'");
    CompletableFuture<Document> running = waiting(BOB);
    Eventually.await("it runs", () -> shown("killer", "{allUsers: true}").size() == 1);
    Object opid = shown("killer", "{allUsers: true}").getFirst().get("opid");
    SERVER.allows("killer", "admin", "{killOp: 1, op: " + opid + "}");
    assertThatThrownBy(running::join).hasMessageContaining("11601");
  }

  private static String json(BsonDocument document) {
    return document.toJson(JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
  }

  @Test
  void sessionsBelongToTheirUsers() {
    try (ClientSession ofAnn = SERVER.as(ANN).startSession();
        ClientSession ofBob = SERVER.as(BOB).startSession()) {
      BsonDocument lsid = ofAnn.getServerSession().getIdentifier();
      ofBob.getServerSession().getIdentifier().put("id", lsid.get("id"));
      var cursor = SERVER.collection(ANN, "shop.a").find(ofAnn).batchSize(1).cursor();
      var other = SERVER.collection(BOB, "shop.a").find(ofBob).batchSize(1).cursor();
      SERVER.allows(BOB, "admin", "{killSessions: [" + json(lsid) + "]}");
      cursor.next();
      cursor.next();
      other.next();
      assertThatThrownBy(other::next).hasMessageContaining("43");
      BsonDocument named =
          new BsonDocument("id", lsid.get("id")).append("uid", new BsonBinary(new byte[32]));
      for (String command :
          List.of(
              "{killSessions: [" + json(named) + "]}",
              "{killAllSessions: []}",
              "{killAllSessions: [{user: 'ann', db: 'admin'}]}",
              "{killAllSessionsByPattern: [{users: [{user: 'ann', db: 'admin'}]}]}")) {
        assertThat(SERVER.failure(BOB, "admin", command).getCode()).as(command).isEqualTo(13);
      }
      SERVER.allows(BOB, "admin", "{killSessions: []}");
      cursor.next();
      SERVER.root("admin", "{killAllSessions: [{user: 'ann', db: 'admin'}]}");
      assertThatThrownBy(cursor::next).hasMessageContaining("43");
      cursor.close();
      other.close();
    }
  }
}
