package dev.wisent.server.authorization;

import static dev.wisent.server.authorization.LoggedIn.on;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What users of some databases and collections can do with them, and not with others. */
class UsersOfDatabasesTest {
  @RegisterExtension static final LoggedIn SERVER = new LoggedIn();

  /** Reads and writes {@code shop}, reads {@code open}. */
  private static final String ANN = "ann";

  /** Reads {@code shop}. */
  private static final String BOB = "bob";

  /** Reads one collection of {@code shop}. */
  private static final String PICKER = "picker";

  /** Reads a view of that collection. */
  private static final String VIEWER = "viewer";

  @BeforeAll
  static void users() {
    for (String namespace : List.of("shop.a", "shop.b", "store.c", "open.d")) {
      MongoCollection<Document> collection = SERVER.collection(LoggedIn.ROOT, namespace);
      for (int i = 0; i < 5; i++) {
        collection.insertOne(new Document("_id", i).append("x", i));
      }
    }
    SERVER.root("shop", "{create: 'v', viewOn: 'a', pipeline: [{$match: {x: {$gt: 0}}}]}");
    SERVER.create(ANN, "{role: 'readWrite', db: 'shop'}, {role: 'read', db: 'open'}");
    SERVER.create(BOB, "{role: 'read', db: 'shop'}");
    SERVER.createRole("picks", on("shop.a", "'find'"));
    SERVER.create(PICKER, "'picks'");
    SERVER.createRole("views", on("shop.v", "'find'"));
    SERVER.create(VIEWER, "'views'");
  }

  @Test
  void aWriterWritesItsDatabaseOnly() {
    MongoCollection<Document> own = SERVER.collection(ANN, "shop.written");
    own.insertOne(new Document("_id", 1));
    own.updateOne(new Document("_id", 1), new Document("$set", new Document("x", 2)));
    own.createIndex(new Document("x", 1));
    assertThat(own.find(new Document("x", 2)).first()).isNotNull();
    own.deleteOne(new Document("_id", 1));
    own.drop();
    assertThat(SERVER.collection(ANN, "open.d").countDocuments()).isEqualTo(5);
    SERVER.refuses(
        ANN,
        "store",
        "{find: 'c'}",
        "{count: 'c'}",
        "{distinct: 'c', key: 'x'}",
        "{aggregate: 'c', pipeline: [], cursor: {}}",
        "{insert: 'c', documents: [{}]}",
        "{create: 'new'}",
        "{dropDatabase: 1}",
        "{dbStats: 1}");
    SERVER.refuses(ANN, "open", "{insert: 'd', documents: [{}]}", "{drop: 'd'}");
    SERVER.refuses(
        ANN,
        "admin",
        "{bulkWrite: 1, ops: [{insert: 0, document: {_id: 9}}, {insert: 1, document: {_id: 9}}],"
            + " nsInfo: [{ns: 'shop.a'}, {ns: 'store.c'}]}");
    Assertions.assertThatThrownBy(
            () -> SERVER.collection(ANN, "store.c").insertOne(new Document("_id", 9)))
        .isNotInstanceOf(MongoWriteException.class)
        .hasMessageContaining("not authorized on store to execute command { insert: \"c\"");
    assertThat(SERVER.documents("store.c")).hasSize(5);
    assertThat(SERVER.documents("shop.a")).hasSize(5);
  }

  @Test
  void aReaderWritesNothing() {
    assertThat(SERVER.collection(BOB, "shop.a").countDocuments()).isEqualTo(5);
    SERVER.refuses(
        BOB,
        "shop",
        "{insert: 'a', documents: [{}]}",
        "{update: 'a', updates: [{q: {}, u: {$set: {x: 1}}}]}",
        "{delete: 'a', deletes: [{q: {}, limit: 0}]}",
        "{findAndModify: 'a', query: {}, remove: true}",
        "{findAndModify: 'a', query: {}, update: {$set: {x: 1}}}",
        "{createIndexes: 'a', indexes: [{key: {x: 1}, name: 'x'}]}",
        "{dropIndexes: 'a', index: '*'}",
        "{create: 'new'}",
        "{drop: 'a'}",
        "{collMod: 'a', validator: {}}",
        "{validate: 'a'}",
        "{mapReduce: 'a', map: 'function() {}', reduce: 'function() {}', out: 'b'}",
        "{aggregate: 'a', pipeline: [{$out: 'b'}], cursor: {}}",
        "{aggregate: 'a', pipeline: [{$merge: {into: 'b'}}], cursor: {}}");
    assertThat(SERVER.documents("shop.a")).hasSize(5);
    assertThat(SERVER.documents("shop.b")).hasSize(5);
  }

  @Test
  void pipelinesReadAndWriteNothingElse() {
    for (String stage :
        List.of(
            "{$lookup: {from: 'b', localField: 'x', foreignField: 'x', as: 'y'}}",
            "{$lookup: {from: 'a', as: 'y', pipeline: [{$unionWith: 'b'}]}}",
            "{$graphLookup: {from: 'b', startWith: 1, connectFromField: 'x', connectToField: 'x',"
                + " as: 'y'}}",
            "{$unionWith: 'b'}",
            "{$facet: {f: [{$lookup: {from: 'b', as: 'y', pipeline: []}}]}}",
            "{$merge: {into: {db: 'store', coll: 'c'}}}",
            "{$out: 'new'}")) {
      SERVER.refuses(
          PICKER, "shop", "{aggregate: 'a', pipeline: [%s], cursor: {}}".formatted(stage));
    }
    String self = "{$lookup: {from: 'a', localField: 'x', foreignField: 'x', as: 'y'}}";
    SERVER.allows(PICKER, "shop", "{aggregate: 'a', pipeline: [%s], cursor: {}}".formatted(self));
    for (String stage :
        List.of(
            "{$out: {db: 'store', coll: 'c'}}",
            "{$out: {db: 'open', coll: 'd'}}",
            "{$merge: {into: {db: 'store', coll: 'c'}, on: '_id', whenMatched: 'replace'}}",
            "{$merge: {into: {db: 'open', coll: 'd'}, whenMatched: 'fail'}}")) {
      SERVER.refuses(ANN, "shop", "{aggregate: 'a', pipeline: [%s], cursor: {}}".formatted(stage));
    }
    SERVER.allows(
        ANN,
        "shop",
        "{aggregate: 'a', pipeline: [{$lookup: {from: 'b', as: 'y', pipeline: []}}], cursor: {}}",
        "{aggregate: 'a', pipeline: [{$out: 'out'}], cursor: {}}",
        "{aggregate: 'b', pipeline: [{$merge: 'out'}], cursor: {}}",
        "{drop: 'out'}");
    assertThat(SERVER.documents("store.c")).allMatch(document -> document.size() == 2);
  }

  @Test
  void aViewIsReadWithoutItsSource() {
    MongoCollection<Document> view = SERVER.collection(VIEWER, "shop.v");
    assertThat(view.find().batchSize(2).into(new ArrayList<>())).hasSize(4);
    assertThat(view.countDocuments()).isEqualTo(4);
    assertThat(view.distinct("x", Integer.class).into(new ArrayList<>())).hasSize(4);
    assertThat(view.estimatedDocumentCount()).isEqualTo(4);
    SERVER.refuses(
        VIEWER,
        "shop",
        "{find: 'a'}",
        "{aggregate: 'v', pipeline: [{$unionWith: 'a'}], cursor: {}}",
        "{find: 'system.views'}",
        "{collMod: 'v', viewOn: 'a', pipeline: []}");
    SERVER.refuses(PICKER, "shop", "{find: 'v'}");
  }

  @Test
  void viewsMakeNothingReadable() {
    SERVER.createRole(
        "makes", on("shop.mine", "'find', 'createCollection', 'collMod'"), on("shop.a", "'find'"));
    SERVER.create("maker", "'makes'");
    SERVER.refuses("maker", "shop", "{create: 'mine', viewOn: 'b', pipeline: []}");
    SERVER.refuses("maker", "shop", "{create: 'mine', viewOn: 'a', pipeline: [{$unionWith: 'b'}]}");
    SERVER.allows("maker", "shop", "{create: 'mine', viewOn: 'a', pipeline: []}");
    SERVER.refuses("maker", "shop", "{collMod: 'mine', viewOn: 'b', pipeline: []}");
    SERVER.root("shop", "{drop: 'mine'}");
  }

  private static List<String> databases(String user) {
    return SERVER.as(user).listDatabaseNames().into(new ArrayList<>());
  }

  @Test
  void listsHaveWhatTheirReadersMayUse() {
    assertThat(databases(ANN)).containsExactlyInAnyOrder("open", "shop");
    assertThat(databases(PICKER)).containsExactly("shop");
    assertThat(databases(LoggedIn.ROOT)).contains("admin", "open", "shop", "store");
    SERVER.refuses(ANN, "admin", "{listDatabases: 1, authorizedDatabases: false}");
    String mine = "{listCollections: 1, nameOnly: true, authorizedCollections: true}";
    assertThat(names(PICKER, "shop", mine)).containsExactly("a");
    assertThat(names(BOB, "shop", "{listCollections: 1}")).contains("a", "b", "v");
    SERVER.refuses(
        PICKER,
        "shop",
        "{listCollections: 1}",
        "{listCollections: 1, nameOnly: true}",
        "{listCollections: 1, authorizedCollections: true}",
        "{listIndexes: 'a'}");
    SERVER.refuses(ANN, "store", "{listCollections: 1}", mine, "{listIndexes: 'c'}");
  }

  private static List<String> names(String user, String database, String command) {
    return SERVER
        .run(user, database, command)
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class)
        .stream()
        .map(each -> each.getString("name"))
        .toList();
  }

  @Test
  void statisticsAndPlansNeedTheirPrivileges() {
    SERVER.allows(BOB, "shop", "{collStats: 'a'}", "{dbStats: 1}", "{listIndexes: 'a'}");
    SERVER.refuses(
        PICKER,
        "shop",
        "{collStats: 'a'}",
        "{dbStats: 1}",
        "{aggregate: 'a', pipeline: [{$collStats: {count: {}}}], cursor: {}}",
        "{aggregate: 'a', pipeline: [{$indexStats: {}}], cursor: {}}",
        "{explain: {find: 'b'}}",
        "{explain: {delete: 'a', deletes: [{q: {}, limit: 0}]}}",
        "{explain: {aggregate: 'a', pipeline: [{$unionWith: 'b'}], cursor: {}}}");
    SERVER.allows(PICKER, "shop", "{explain: {find: 'a'}}");
    SERVER.refuses(
        BOB,
        "admin",
        "{serverStatus: 1}",
        "{getParameter: 1, logLevel: 1}",
        "{setParameter: 1, logLevel: 0}",
        "{getLog: 'global'}",
        "{getCmdLineOpts: 1}",
        "{shutdown: 1}",
        "{fsync: 1}",
        "{aggregate: 1, pipeline: [{$listLocalSessions: {allUsers: true}}], cursor: {}}");
  }

  @Test
  void renamesStayInADatabase() {
    SERVER.allows(ANN, "shop", "{create: 'old'}");
    SERVER.allows(ANN, "admin", "{renameCollection: 'shop.old', to: 'shop.new'}");
    SERVER.refuses(
        ANN,
        "admin",
        "{renameCollection: 'shop.new', to: 'store.new'}",
        "{renameCollection: 'store.c', to: 'shop.c'}",
        "{renameCollection: 'open.d', to: 'shop.d'}");
    SERVER.refuses(BOB, "admin", "{renameCollection: 'shop.new', to: 'shop.old'}");
    SERVER.allows(ANN, "shop", "{drop: 'new'}");
  }
}
