package dev.wisent.cluster.router.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.CountRequest;
import dev.wisent.operation.DistinctRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.ResultCursor;
import dev.wisent.query.collation.CollationChoice;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScatteredReadsTest {
  private static TestShards shards;
  private static ScatteredReads reads;
  private final OperationContext operation = TestShards.operation();

  @BeforeAll
  static void start() {
    shards = new TestShards(3);
    reads = new ScatteredReads(shards, shards);
  }

  @AfterAll
  static void stop() {
    shards.close();
  }

  @BeforeEach
  void fill() {
    shards.create("");
    var documents = new ArrayList<RawDocument>();
    for (int i = 0; i < 30; i++) {
      documents.add(
          RawDocument.parse(
              "{_id: %d, a: %d, b: 'x%d', g: [%d, %d]}"
                  .formatted(i, i * 7 % 10, i % 4, i % 5, i % 3)));
    }
    shards.spread(documents, i -> i % 7 % 3);
    shards.forgetSent();
  }

  private List<RawDocument> find(String command) {
    return TestShards.drain(
        reads.find(operation, TestShards.find(RawDocument.parse("{find: 'c', " + command + "}"))));
  }

  private void agrees(String command) {
    assertThat(find(command))
        .isEqualTo(shards.whole(RawDocument.parse("{find: 'c', " + command + "}")));
  }

  @Test
  void documentsOfAllShardsComeInTheOrderOfTheSort() {
    agrees("sort: {a: 1, _id: -1}");
    agrees("sort: {a: -1, _id: 1}, projection: {b: 1, _id: 0}");
    agrees("sort: {g: -1, _id: 1}, projection: {g: 0}");
    agrees("filter: {a: {$gt: 3}}, sort: {b: 1, a: 1, _id: 1}, projection: {k: {$add: ['$a', 1]}}");
  }

  @Test
  void skipAndLimitAreOfAllShards() {
    agrees("sort: {a: 1, _id: 1}, skip: 5, limit: 11");
    agrees("sort: {_id: 1}, skip: 28, limit: 7");
    agrees("sort: {_id: 1}, skip: 40");
    assertThat(find("skip: 5, limit: 11")).hasSize(11);
    assertThat(find("skip: 25")).hasSize(5);
    assertThat(shards.sent().getFirst().command().get("limit").toLong()).isEqualTo(16);
    assertThat(shards.sent().getFirst().command().get("skip")).isNull();
  }

  @Test
  void withoutASortAllDocumentsCome() {
    assertThat(find("filter: {a: {$lt: 5}}, projection: {_id: 1}"))
        .containsExactlyInAnyOrderElementsOf(
            shards.whole(
                RawDocument.parse("{find: 'c', filter: {a: {$lt: 5}}, projection: {_id: 1}}")));
  }

  @Test
  void aCollationOrdersStringsAlsoAcrossShards() {
    shards.create("collation: {locale: 'de', strength: 1}");
    List<String> words = List.of("Apfel", "äpfel", "Zebra", "apfelbaum", "Öl", "ofen", "zebu");
    for (int i = 0; i < words.size(); i++) {
      shards.insert(i % 3, RawDocument.parse("{_id: %d, w: '%s'}".formatted(i, words.get(i))));
    }
    agrees("sort: {w: 1, _id: 1}");
    agrees("sort: {w: -1, _id: 1}, projection: {_id: 1}");
    agrees("sort: {w: 1}, collation: {locale: 'simple'}");
    agrees("filter: {w: 'APFEL'}, sort: {_id: 1}");
  }

  @Test
  void nearestComeFirst() {
    shards.create("");
    shards.forEachDatabase(
        database ->
            shards.run(
                database, "{createIndexes: 'c', indexes: [{key: {p: '2dsphere'}, name: 'p'}]}"));
    for (int i = 0; i < 12; i++) {
      shards.insert(
          i % 3, RawDocument.parse("{_id: %d, p: [%d, %d]}".formatted(i, i * 5 % 12, i % 4)));
    }
    agrees("filter: {p: {$nearSphere: {$geometry: {type: 'Point', coordinates: [3.1, 0.7]}}}}");
  }

  @Test
  void theBestTextScoreComesFirst() {
    shards.create("");
    shards.forEachDatabase(
        database ->
            shards.run(database, "{createIndexes: 'c', indexes: [{key: {t: 'text'}, name: 't'}]}"));
    for (int i = 0; i < 9; i++) {
      shards.insert(
          i % 3,
          RawDocument.parse(
              "{_id: %d, t: '%s'}".formatted(i, "tea ".repeat(1 + i) + "x".repeat(i + 3))));
    }
    agrees(
        "filter: {$text: {$search: 'tea'}}, sort: {s: {$meta: 'textScore'}, _id: 1},"
            + " projection: {s: {$meta: 'textScore'}}");
  }

  @Test
  void batchesAreFetchedAsTheyAreNeeded() {
    ResultCursor cursor =
        reads.find(
            operation,
            TestShards.find(RawDocument.parse("{find: 'c', sort: {_id: 1}, batchSize: 2}")));
    assertThat(cursor.peek().get("_id").toLong()).isZero();
    cursor.take();
    assertThat(shards.sent()).as("one find for each shard, no getMore").hasSize(3);
    for (int i = 1; i < 30; i++) {
      cursor.detach();
      cursor.attach(TestShards.operation());
      assertThat(cursor.peek().get("_id").toLong()).isEqualTo(i);
      cursor.take();
    }
    assertThat(cursor.isExhausted()).isFalse();
    assertThat(cursor.peek()).isNull();
    assertThat(cursor.isExhausted()).isTrue();
    cursor.close();
  }

  @Test
  void closingEndsTheCursorsOfAllShards() {
    shards.killed().clear();
    ResultCursor cursor =
        reads.find(operation, TestShards.find(RawDocument.parse("{find: 'c', batchSize: 1}")));
    cursor.close();
    assertThat(shards.killed()).hasSize(3);
    RawDocument status = shards.run("admin", "{serverStatus: 1}");
    assertThat(
            status
                .toBsonDocument()
                .getDocument("metrics")
                .getDocument("cursor")
                .getDocument("open")
                .getNumber("total")
                .longValue())
        .isZero();
  }

  @Test
  void anErrorOfOneShardEndsAll() {
    shards.run("s1", "{drop: 'c'}");
    shards.run("s1", "{create: 'c', viewOn: 'd', pipeline: []}");
    shards.killed().clear();
    assertThatThrownBy(() -> find("batchSize: 1, returnKey: true"))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("returnKey");
    assertThat(shards.killed()).as("the others' cursors").hasSize(2);
  }

  @Test
  void aShardThatIsDownIsAnErrorUnlessPartialResultsAreEnough() {
    try (var some = new TestShards(3)) {
      var partly = new ScatteredReads(some, some);
      some.create("");
      for (int i = 0; i < 9; i++) {
        some.insert(i % 3, RawDocument.parse("{_id: %d}".formatted(i)));
      }
      String text = "{find: 'c', sort: {_id: 1}, batchSize: 1, allowPartialResults: true}";
      ResultCursor cursor = partly.find(operation, TestShards.find(RawDocument.parse(text)));
      assertThat(cursor.isPartial()).isFalse();
      some.cutOff("s1");
      assertThat(TestShards.drain(cursor))
          .extracting(document -> document.get("_id").asInt32())
          .containsExactly(0, 1, 2, 3, 5, 6, 8);
      assertThat(cursor.isPartial()).isTrue();
      ResultCursor second = partly.find(operation, TestShards.find(RawDocument.parse(text)));
      assertThat(second.isPartial()).isTrue();
      assertThat(TestShards.drain(second)).hasSize(6);
      assertThatThrownBy(
              () ->
                  partly.find(
                      operation, TestShards.find(RawDocument.parse("{find: 'c', batchSize: 1}"))))
          .hasMessageContaining("s1 is down");
    }
  }

  @Test
  void countsAreSums() {
    RawDocument all = RawDocument.EMPTY;
    assertThat(reads.count(operation, count(all, 0, 0))).isEqualTo(30);
    assertThat(reads.count(operation, count(RawDocument.parse("{a: 3}"), 0, 0))).isEqualTo(3);
    assertThat(reads.count(operation, count(all, 4, 0))).isEqualTo(26);
    assertThat(reads.count(operation, count(all, 4, 10))).isEqualTo(10);
    assertThat(reads.count(operation, count(all, 25, 10))).isEqualTo(5);
    assertThat(reads.count(operation, count(all, 50, 10))).isZero();
  }

  private static CountRequest count(RawDocument query, long skip, long limit) {
    return new CountRequest(TestShards.COLLECTION, query, skip, limit, null);
  }

  @Test
  void distinctValuesAreThoseOfAllShardsInTheirOrder() {
    assertThat(distinct("a", CollationChoice.INHERITED))
        .extracting(RawValue::asInt32)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(distinct("g", CollationChoice.INHERITED))
        .extracting(RawValue::asInt32)
        .containsExactly(0, 1, 2, 3, 4);
    shards.insert(0, RawDocument.parse("{_id: 100, b: 'X1'}"));
    shards.insert(1, RawDocument.parse("{_id: 101, b: 'X2'}"));
    assertThat(distinct("b", CollationChoice.of(RawDocument.parse("{locale: 'en', strength: 2}"))))
        .hasSize(4);
    assertThat(distinct("b", CollationChoice.INHERITED)).hasSize(6);
  }

  private List<RawValue> distinct(String key, CollationChoice collation) {
    return reads.distinct(
        operation,
        new DistinctRequest(TestShards.COLLECTION, key, RawDocument.EMPTY, null, collation));
  }
}
