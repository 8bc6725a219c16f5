package dev.wisent.cluster.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code analyzeShardKey} and {@code configureQueryAnalyzer} on a set and through a router. */
class ShardKeyAnalysisTest {
  private static final int DOCUMENTS = 2_000;
  private static final List<Wisent> SERVERS = new ArrayList<>();
  private static final Map<Place, MongoClient> CLIENTS = new EnumMap<>(Place.class);
  private static final Map<Place, String> READ = new EnumMap<>(Place.class);

  /** Where the collection is. */
  enum Place {
    SET,
    UNSHARDED,
    SHARDED
  }

  @BeforeAll
  static void start() {
    Wisent set = Wisent.replicaSet(1);
    Wisent cluster = Wisent.cluster(2);
    SERVERS.addAll(List.of(set, cluster));
    CLIENTS.put(Place.SET, MongoClients.create(set.uri()));
    CLIENTS.put(Place.UNSHARDED, MongoClients.create(cluster.uri()));
    CLIENTS.put(Place.SHARDED, MongoClients.create(cluster.uri()));
  }

  @AfterAll
  static void stop() {
    CLIENTS.values().forEach(MongoClient::close);
    SERVERS.forEach(Wisent::close);
  }

  /** A new collection with an index on each field but {@code plain}. */
  private static String filled(Place place, String name) {
    String namespace = place.name().toLowerCase(Locale.ROOT) + "." + name;
    MongoCollection<Document> collection = collection(place, namespace);
    if (place == Place.SHARDED) {
      admin(place, "{shardCollection: '%s', key: {user: 'hashed'}}".formatted(namespace));
    }
    List<Integer> shuffled = new ArrayList<>(IntStream.range(0, DOCUMENTS).boxed().toList());
    Collections.shuffle(shuffled, new Random(1));
    collection.insertMany(
        IntStream.range(0, DOCUMENTS)
            .mapToObj(
                i ->
                    new Document("_id", i)
                        .append("at", i)
                        .append("random", shuffled.get(i))
                        .append("continent", i % 7)
                        .append("user", i % 500)
                        .append("plain", i))
            .toList());
    collection.createIndexes(
        Stream.of("at", "random", "continent", "user")
            .map(field -> new IndexModel(new Document(field, 1)))
            .toList());
    return namespace;
  }

  /** A collection for tests that only read. */
  private static String read(Place place) {
    return READ.computeIfAbsent(place, where -> filled(where, "read"));
  }

  private static MongoCollection<Document> collection(Place place, String namespace) {
    int dot = namespace.indexOf('.');
    return CLIENTS
        .get(place)
        .getDatabase(namespace.substring(0, dot))
        .getCollection(namespace.substring(dot + 1));
  }

  private static BsonDocument admin(Place place, String json) {
    return CLIENTS
        .get(place)
        .getDatabase("admin")
        .runCommand(BsonDocument.parse(json), BsonDocument.class);
  }

  private static BsonDocument fail(Place place, String json) {
    try {
      throw new AssertionError("should have failed: " + admin(place, json));
    } catch (MongoCommandException e) {
      return e.getResponse();
    }
  }

  private static BsonDocument characteristics(Place place, String namespace, String key) {
    return admin(
            place,
            "{analyzeShardKey: '%s', key: %s, readWriteDistribution: false}"
                .formatted(namespace, key))
        .getDocument("keyCharacteristics");
  }

  private static long number(BsonDocument document, String field) {
    return document.getNumber(field).longValue();
  }

  @ParameterizedTest
  @EnumSource
  void valuesAreCounted(Place place) {
    String namespace = read(place);
    BsonDocument few = characteristics(place, namespace, "{continent: 1}");
    assertThat(number(few, "numDocsTotal")).isEqualTo(DOCUMENTS);
    assertThat(number(few, "numDocsSampled")).isEqualTo(DOCUMENTS);
    assertThat(number(few, "numDistinctValues")).isEqualTo(7);
    assertThat(few.getBoolean("isUnique").getValue()).isFalse();
    assertThat(number(few, "avgDocSizeBytes")).isBetween(60L, 100L);
    List<BsonValue> common = few.getArray("mostCommonValues").getValues();
    assertThat(common).hasSize(5);
    assertThat(common.getFirst().asDocument().getNumber("frequency").longValue()).isEqualTo(286);
    assertThat(common.getFirst().asDocument().getDocument("value").keySet())
        .containsExactly("continent");

    BsonDocument id = characteristics(place, namespace, "{_id: 1}");
    assertThat(id.getBoolean("isUnique").getValue()).isTrue();
    assertThat(number(id, "numDistinctValues")).isEqualTo(DOCUMENTS);
  }

  @ParameterizedTest
  @EnumSource
  void keysThatFollowTheOrderOfInsertionAreMonotonic(Place place) {
    String namespace = read(place);
    BsonDocument at = characteristics(place, namespace, "{at: 1}").getDocument("monotonicity");
    assertThat(at.getString("type").getValue()).isEqualTo("monotonic");
    assertThat(at.getNumber("recordIdCorrelationCoefficient").doubleValue())
        .isCloseTo(1, within(0.001));
    BsonDocument random =
        characteristics(place, namespace, "{random: 1}").getDocument("monotonicity");
    assertThat(random.getString("type").getValue()).isEqualTo("not monotonic");
    assertThat(random.getNumber("recordIdCorrelationCoefficient").doubleValue())
        .isCloseTo(0, within(0.2));
    BsonDocument hashed =
        characteristics(place, namespace, "{user: 'hashed'}").getDocument("monotonicity");
    assertThat(hashed.getString("type").getValue()).isEqualTo("not monotonic");
  }

  @ParameterizedTest
  @EnumSource
  void aSampleIsCounted(Place place) {
    String namespace = read(place);
    String command = "{analyzeShardKey: '%s', key: {at: 1}, %s}";
    BsonDocument sized =
        admin(place, command.formatted(namespace, "sampleSize: 500"))
            .getDocument("keyCharacteristics");
    assertThat(number(sized, "numDocsTotal")).isEqualTo(DOCUMENTS);
    assertThat(number(sized, "numDocsSampled")).isBetween(350L, 650L);
    BsonDocument rated =
        admin(place, command.formatted(namespace, "sampleRate: 0.5"))
            .getDocument("keyCharacteristics");
    assertThat(number(rated, "numDocsSampled")).isBetween(800L, 1_200L);
  }

  @ParameterizedTest
  @EnumSource
  void sampledQueriesTellHowTheyWouldBeSpread(Place place) {
    String namespace = filled(place, "queried");
    admin(
        place,
        "{configureQueryAnalyzer: '%s', mode: 'full', samplesPerSecond: 50}".formatted(namespace));
    MongoCollection<Document> collection = collection(place, namespace);
    for (int i = 0; i < 6; i++) {
      collection.find(Filters.eq("random", i * 300)).first();
    }
    collection.find(Filters.lt("random", 200)).first();
    collection.countDocuments(Filters.eq("plain", 3));
    collection.distinct("plain", Filters.eq("plain", 3), Integer.class).first();
    collection.updateOne(Filters.eq("random", 7), Updates.set("random", 100_007));
    collection.updateOne(Filters.eq("random", 8), Updates.set("plain", 100_007));
    collection.updateMany(Filters.eq("plain", 9), Updates.set("plain", 10));
    collection.deleteOne(Filters.eq("random", 10));
    collection.findOneAndUpdate(Filters.eq("plain", 1_500), Updates.set("plain", -1));
    admin(place, "{configureQueryAnalyzer: '%s', mode: 'off'}".formatted(namespace));

    BsonDocument reply =
        admin(
            place,
            "{analyzeShardKey: '%s', key: {random: 1}, keyCharacteristics: false}"
                .formatted(namespace));
    BsonDocument reads = reply.getDocument("readDistribution");
    assertThat(reads.getDocument("sampleSize").toJson())
        .isEqualTo(
            BsonDocument.parse(
                    "{total: {$numberLong: '9'}, find: {$numberLong: '7'}, aggregate:"
                        + " {$numberLong: '1'}, count: {$numberLong: '0'}, distinct:"
                        + " {$numberLong: '1'}}")
                .toJson());
    assertThat(percentage(reads, "percentageOfSingleShardReads")).isEqualTo(66.7);
    assertThat(percentage(reads, "percentageOfMultiShardReads")).isEqualTo(11.1);
    assertThat(percentage(reads, "percentageOfScatterGatherReads")).isEqualTo(22.2);
    assertThat(reads.getArray("numReadsByRange")).hasSizeBetween(90, 100);

    BsonDocument writes = reply.getDocument("writeDistribution");
    assertThat(number(writes.getDocument("sampleSize"), "total")).isEqualTo(5);
    assertThat(percentage(writes, "percentageOfSingleShardWrites")).isEqualTo(60);
    assertThat(percentage(writes, "percentageOfScatterGatherWrites")).isEqualTo(40);
    assertThat(percentage(writes, "percentageOfShardKeyUpdates")).isEqualTo(20);
    assertThat(percentage(writes, "percentageOfSingleWritesWithoutShardKey")).isEqualTo(20);
    assertThat(percentage(writes, "percentageOfMultiWritesWithoutShardKey")).isEqualTo(20);

    Document sample =
        CLIENTS
            .get(place)
            .getDatabase("config")
            .getCollection("sampledQueries")
            .find(Filters.and(Filters.eq("ns", namespace), Filters.eq("cmdName", "delete")))
            .first();
    assertThat(sample.keySet())
        .containsExactly("_id", "ns", "collectionUuid", "cmdName", "cmd", "expireAt");
  }

  private static double percentage(BsonDocument distribution, String field) {
    return Math.round(distribution.getNumber(field).doubleValue() * 10) / 10.0;
  }

  @ParameterizedTest
  @EnumSource
  void noMoreIsSampledThanAsked(Place place) {
    String namespace = filled(place, "limited");
    admin(
        place,
        "{configureQueryAnalyzer: '%s', mode: 'full', samplesPerSecond: 0.001}"
            .formatted(namespace));
    for (int i = 0; i < 20; i++) {
      collection(place, namespace).find(Filters.eq("at", i)).first();
    }
    admin(place, "{configureQueryAnalyzer: '%s', mode: 'off'}".formatted(namespace));
    collection(place, namespace).find(Filters.eq("at", 1)).first();
    BsonDocument reads =
        admin(place, "{analyzeShardKey: '%s', key: {at: 1}}".formatted(namespace))
            .getDocument("readDistribution");
    assertThat(number(reads.getDocument("sampleSize"), "total")).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void theAnalyzerIsStored(Place place) {
    String namespace = filled(place, "stored");
    String configure = "{configureQueryAnalyzer: '" + namespace + "', mode: '%s'%s}";
    assertThat(admin(place, configure.formatted("off", "")).containsKey("oldConfiguration"))
        .isFalse();
    BsonDocument first = admin(place, configure.formatted("full", ", samplesPerSecond: 10"));
    assertThat(first.getDocument("newConfiguration").toJson())
        .isEqualTo("{\"mode\": \"full\", \"samplesPerSecond\": 10.0}");
    Document stored = analyzer(place, namespace);
    assertThat(stored.keySet())
        .containsExactlyInAnyOrder("_id", "collUuid", "mode", "samplesPerSecond", "startTime");
    BsonDocument second = admin(place, configure.formatted("full", ", samplesPerSecond: 0.5"));
    assertThat(second.getDocument("oldConfiguration"))
        .isEqualTo(first.getDocument("newConfiguration"));
    assertThat(analyzer(place, namespace).get("startTime")).isEqualTo(stored.get("startTime"));
    BsonDocument off = admin(place, configure.formatted("off", ""));
    assertThat(off.getDocument("newConfiguration").toJson()).isEqualTo("{\"mode\": \"off\"}");
    Document stopped = analyzer(place, namespace);
    assertThat(stopped.getString("mode")).isEqualTo("off");
    assertThat(stopped.getDouble("samplesPerSecond")).isEqualTo(0.5);
    admin(place, configure.formatted("off", ""));
    assertThat(analyzer(place, namespace)).isEqualTo(stopped);

    collection(place, namespace).drop();
    filled(place, "stored");
    assertThat(
            admin(place, configure.formatted("full", ", samplesPerSecond: 1"))
                .containsKey("oldConfiguration"))
        .as("of a collection that was dropped")
        .isFalse();
  }

  private static Document analyzer(Place place, String namespace) {
    return CLIENTS
        .get(place)
        .getDatabase("config")
        .getCollection("queryAnalyzers")
        .find(Filters.eq(namespace))
        .first();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{analyzeShardKey: 'a.b'}                                             | 40414",
        "{analyzeShardKey: 1, key: {a: 1}}                                    | 14",
        "{analyzeShardKey: 'a.b', key: {a: 1}, x: 1}                          | 40415",
        "{analyzeShardKey: 'a.none', key: {a: 1}}                             | 26",
        "{analyzeShardKey: 'config.settings', key: {a: 1}}                    | 20",
        "{analyzeShardKey: 'a.system.views', key: {a: 1}}                     | 20",
        "{analyzeShardKey: 'a.b', key: {}}                                    | 2",
        "{analyzeShardKey: 'a.b', key: {a: -1}}                               | 2",
        "{analyzeShardKey: 'a.b', key: {a: 1}, sampleRate: 0}                 | 2",
        "{analyzeShardKey: 'a.b', key: {a: 1}, sampleRate: 1.5}               | 2",
        "{analyzeShardKey: 'a.b', key: {a: 1}, sampleRate: 'x'}               | 14",
        "{analyzeShardKey: 'a.b', key: {a: 1}, sampleSize: 0}                 | 2",
        "{analyzeShardKey: 'a.b', key: {a: 1}, sampleRate: 1, sampleSize: 1}  | 72",
        "{analyzeShardKey: 'a.b', key: {a: 1}, keyCharacteristics: false,"
            + " readWriteDistribution: false}                                 | 72",
        "{analyzeShardKey: 'a.b', key: {a: 1}, readWriteDistribution: false}  | 20",
        "{analyzeShardKey: 'a.b', key: {_id: 1}, readWriteDistribution: false} | 20",
        "{analyzeShardKey: 'a.array', key: {a: 1}}                            | 2",
        "{analyzeShardKey: 'a.view', key: {a: 1}}                             | 166",
        "{configureQueryAnalyzer: 'a.b'}                                      | 40414",
        "{configureQueryAnalyzer: 'a.b', mode: 'some'}                        | 2",
        "{configureQueryAnalyzer: 'a.b', mode: 'full'}                        | 72",
        "{configureQueryAnalyzer: 'a.b', mode: 'full', samplesPerSecond: 0}   | 72",
        "{configureQueryAnalyzer: 'a.b', mode: 'full', samplesPerSecond: 51}  | 72",
        "{configureQueryAnalyzer: 'a.b', mode: 'off', samplesPerSecond: 1}    | 72",
        "{configureQueryAnalyzer: 'a.none', mode: 'off'}                      | 26",
        "{configureQueryAnalyzer: 'a.view', mode: 'off'}                      | 166",
        "{configureQueryAnalyzer: 'local.b', mode: 'off'}                     | 20",
        "{configureQueryAnalyzer: 'a.b', mode: 'off', x: 1}                   | 40415",
        "{configureQueryAnalyzer: 'a.b', mode: 'off', writeConcern: {w: 1}}   | 72",
      })
  void wrongRequestsAreRefused(String command, int code) {
    for (Place place : List.of(Place.SET, Place.UNSHARDED)) {
      if (CLIENTS
          .get(place)
          .getDatabase("a")
          .listCollectionNames()
          .into(new ArrayList<>())
          .isEmpty()) {
        CLIENTS.get(place).getDatabase("a").createCollection("b");
        collection(place, "a.array").insertOne(Document.parse("{a: [1]}"));
        CLIENTS.get(place).getDatabase("a").createView("view", "b", List.of());
      }
      assertThat(fail(place, command).getInt32("code").getValue()).as(place.name()).isEqualTo(code);
    }
  }

  @Test
  void aStandaloneHasNoShardKeys() {
    try (Wisent standalone = Wisent.start();
        MongoClient client = MongoClients.create(standalone.uri())) {
      for (String command :
          List.of(
              "{analyzeShardKey: 'a.b', key: {a: 1}}",
              "{configureQueryAnalyzer: 'a.b', mode: 'off'}",
              "{aggregate: 1, pipeline: [{$listSampledQueries: {}}], cursor: {}}")) {
        try {
          client.getDatabase("admin").runCommand(BsonDocument.parse(command));
          throw new AssertionError("should have failed: " + command);
        } catch (MongoCommandException e) {
          assertThat(e.getErrorMessage()).contains("is not supported on a standalone mongod");
        }
      }
    }
  }
}
