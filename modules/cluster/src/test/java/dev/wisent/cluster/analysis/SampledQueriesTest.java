package dev.wisent.cluster.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import dev.wisent.Wisent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code $listSampledQueries} on a set and through a router. */
class SampledQueriesTest {
  private static final int QUERIES = 250;

  private static Wisent set;
  private static Wisent cluster;
  private static MongoClient ofSet;
  private static MongoClient ofCluster;

  @BeforeAll
  static void start() {
    set = Wisent.replicaSet(1);
    cluster = Wisent.cluster(1);
    ofSet = MongoClients.create(set.uri());
    ofCluster = MongoClients.create(cluster.uri());
    for (MongoClient client : List.of(ofSet, ofCluster)) {
      sample(client);
    }
  }

  @AfterAll
  static void stop() {
    ofSet.close();
    ofCluster.close();
    set.close();
    cluster.close();
  }

  private static void sample(MongoClient client) {
    MongoCollection<Document> read = client.getDatabase("a").getCollection("read");
    MongoCollection<Document> written = client.getDatabase("a").getCollection("written");
    read.insertOne(new Document());
    written.insertOne(new Document("k", 1));
    configure(client, "mode: 'full', samplesPerSecond: 50");
    written.deleteOne(Filters.eq("k", 1));
    read.find(Filters.eq("k", 1)).first();
    configure(client, "mode: 'off'");
    // As many as there are after a while.
    MongoCollection<Document> stored = client.getDatabase("config").getCollection("sampledQueries");
    Document first = stored.find(Filters.eq("ns", "a.read")).first();
    stored.insertMany(
        IntStream.range(1, QUERIES).mapToObj(i -> new Document(first).append("_id", i)).toList());
  }

  private static void configure(MongoClient client, String options) {
    for (String name : List.of("a.read", "a.written")) {
      client
          .getDatabase("admin")
          .runCommand(
              Document.parse("{configureQueryAnalyzer: '%s', %s}".formatted(name, options)));
    }
  }

  private static MongoClient client(boolean sharded) {
    return sharded ? ofCluster : ofSet;
  }

  private static List<Document> listed(boolean sharded, String argument, String... more) {
    var stages = new ArrayList<Document>();
    stages.add(Document.parse("{$listSampledQueries: " + argument + "}"));
    Stream.of(more).map(Document::parse).forEach(stages::add);
    return client(sharded).getDatabase("admin").aggregate(stages).into(new ArrayList<>());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void samplesOfACollectionOrOfAllAreListed(boolean sharded) {
    List<Document> read = listed(sharded, "{namespace: 'a.read'}");
    assertThat(read).hasSize(QUERIES).allMatch(each -> each.get("cmdName").equals("find"));
    assertThat(read.getFirst().keySet())
        .containsExactly("_id", "ns", "collectionUuid", "cmdName", "cmd", "expireAt");
    assertThat(listed(sharded, "{namespace: 'a.written'}"))
        .extracting(each -> each.get("cmdName"))
        .containsExactly("delete");
    assertThat(listed(sharded, "{namespace: 'a.none'}")).isEmpty();
    assertThat(listed(sharded, "{}", "{$sortByCount: '$ns'}"))
        .containsExactly(
            new Document("_id", "a.read").append("count", QUERIES),
            new Document("_id", "a.written").append("count", 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void wrongRequestsAreRefused(boolean sharded) {
    MongoClient client = client(sharded);
    assertFails(client, "admin", "1", "1", 14);
    assertFails(client, "admin", "1", "{x: 1}", 40415);
    assertFails(client, "admin", "1", "{namespace: 1}", 14);
    assertFails(client, "admin", "1", "{namespace: 'a'}", 73);
    assertFails(client, "admin", "'c'", "{}", 73);
  }

  @Test
  void itIsForTheDatabaseAdminOfASet() {
    assertFails(ofSet, "a", "1", "{}", 73);
    try (Wisent standalone = Wisent.start();
        MongoClient client = MongoClients.create(standalone.uri())) {
      assertFails(client, "admin", "1", "{}", 20);
    }
  }

  private static void assertFails(
      MongoClient client, String database, String of, String argument, int code) {
    String command = "{aggregate: %s, pipeline: [{$listSampledQueries: %s}], cursor: {}}";
    assertThatThrownBy(
            () ->
                client
                    .getDatabase(database)
                    .runCommand(Document.parse(command.formatted(of, argument))))
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            e -> assertThat(e.getErrorCode()).as(e.getErrorMessage()).isEqualTo(code));
  }
}
