package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Aggregates.lookup;
import static com.mongodb.client.model.Aggregates.sort;
import static com.mongodb.client.model.Aggregates.unwind;
import static com.mongodb.client.model.Indexes.ascending;
import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoQueryException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(DriverFixture.Extension.class)
class JoinTest {
  private static final int ORDERS = 900;
  private static final int ITEMS = 300;

  /** Orders, each of an item; every item is in three orders. */
  private static MongoCollection<Document> filled(DriverFixture fixture) {
    MongoCollection<Document> orders = fixture.collection("orders");
    orders.insertMany(
        IntStream.range(0, ORDERS)
            .mapToObj(i -> new Document("_id", i).append("item", i % ITEMS).append("n", i % 7))
            .toList());
    fixture
        .collection("items")
        .insertMany(
            IntStream.range(0, ITEMS)
                .mapToObj(i -> new Document("_id", i).append("code", i).append("name", "item" + i))
                .toList());
    return orders;
  }

  private static List<Document> run(MongoCollection<Document> from, String... stages) {
    return from.aggregate(stages(stages)).into(new ArrayList<>());
  }

  private static List<Bson> stages(String... stages) {
    return List.of(stages).stream().map(stage -> (Bson) Document.parse(stage)).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void joinsByAField(boolean indexed, DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    if (indexed) {
      fixture.collection("items").createIndex(ascending("code"));
    }

    List<Document> joined =
        orders
            .aggregate(List.of(lookup("items", "item", "code", "found"), sort(ascending("_id"))))
            .batchSize(100)
            .into(new ArrayList<>());

    assertThat(joined).hasSize(ORDERS);
    for (int i = 0; i < ORDERS; i++) {
      List<Document> found = joined.get(i).getList("found", Document.class);
      assertThat(found).hasSize(1);
      assertThat(found.getFirst().getString("name")).isEqualTo("item" + i % ITEMS);
    }
  }

  @Test
  void readsOnlyWhatAnIndexFinds(DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    fixture.collection("orders").createIndex(ascending("item"));
    String byFields =
        "{$lookup: {from: 'orders', localField: 'code', foreignField: 'item', as: 'o'}}";
    String byVariable =
        "{$lookup: {from: 'orders', let: {c: '$code'}, as: 'o',"
            + " pipeline: [{$match: {$expr: {$eq: ['$item', '$$c']}}}]}}";

    for (String stage : List.of(byFields, byVariable)) {
      Document before = uses(fixture);
      List<Document> joined = run(fixture.collection("items"), "{$match: {_id: {$lt: 3}}}", stage);
      assertThat(joined).hasSize(3);
      assertThat(joined).allMatch(each -> each.getList("o", Document.class).size() == 3);
      assertThat(uses(fixture).getLong("ops")).as(stage).isGreaterThan(before.getLong("ops"));
    }
    assertThat(orders.countDocuments()).isEqualTo(ORDERS);
  }

  private static Document uses(DriverFixture fixture) {
    return run(fixture.collection("orders"), "{$indexStats: {}}").stream()
        .filter(index -> index.getString("name").equals("item_1"))
        .findFirst()
        .orElseThrow()
        .get("accesses", Document.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesOnOverManyBatches(boolean indexed, DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    if (indexed) {
      orders.createIndex(ascending("item"));
    }

    List<Document> unwound =
        fixture
            .collection("items")
            .aggregate(List.of(lookup("orders", "code", "item", "o"), unwind("$o")))
            .batchSize(7)
            .into(new ArrayList<>());

    List<Integer> found =
        unwound.stream().map(each -> each.get("o", Document.class).getInteger("_id")).toList();
    assertThat(inOrderOfIds(found))
        .isEqualTo(
            inOrderOfIds(
                IntStream.range(0, ORDERS).map(i -> i / 3 + i % 3 * ITEMS).boxed().toList()));
  }

  @Test
  void goesOnWithAPipelineOverManyBatches(DriverFixture fixture) {
    filled(fixture);
    List<Document> unwound =
        fixture
            .collection("items")
            .aggregate(
                stages(
                    "{$match: {_id: {$lt: 4}}}",
                    "{$lookup: {from: 'orders', let: {i: '$_id'}, as: 'o',"
                        + " pipeline: [{$match: {$expr: {$gte: ['$item', '$$i']}}}]}}",
                    "{$unwind: '$o'}"))
            .batchSize(50)
            .into(new ArrayList<>());
    assertThat(unwound).hasSize(3 * (300 + 299 + 298 + 297));
  }

  @Test
  void noticesThatACollectionIsDroppedMeanwhile(DriverFixture fixture) {
    filled(fixture);
    try (MongoCursor<Document> cursor =
        fixture
            .collection("items")
            .aggregate(
                stages(
                    "{$lookup: {from: 'orders', let: {i: '$_id'}, as: 'o',"
                        + " pipeline: [{$match: {$expr: {$gte: ['$item', '$$i']}}}]}}",
                    "{$unwind: '$o'}"))
            .batchSize(10)
            .cursor()) {
      IntStream.range(0, 10).forEach(i -> cursor.next());
      fixture.collection("items").drop();
      assertThatThrownBy(() -> cursor.forEachRemaining(each -> {}))
          .isInstanceOf(MongoQueryException.class)
          .hasMessageContaining("collection dropped");
    }
  }

  @Test
  void joinsWithAView(DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    fixture
        .database()
        .createView("cheap", "items", stages("{$match: {code: {$lt: 2}}}", "{$set: {v: 1}}"));
    List<Document> joined =
        run(
            orders,
            "{$lookup: {from: 'cheap', localField: 'item', foreignField: 'code', as: 'r'}}",
            "{$unwind: '$r'}",
            "{$sort: {_id: 1}}");
    assertThat(joined.stream().map(each -> each.getInteger("_id")))
        .containsExactly(0, 1, ITEMS, ITEMS + 1, 2 * ITEMS, 2 * ITEMS + 1);
    assertThat(joined).allMatch(each -> each.get("r", Document.class).getInteger("v") == 1);
    assertThat(run(fixture.collection("none"), "{$unionWith: 'cheap'}")).hasSize(2);
  }

  @Test
  void usesTheCollationOfTheCommand(DriverFixture fixture) {
    fixture.collection("a").insertOne(new Document("k", "X"));
    fixture.collection("b").insertMany(List.of(new Document("_id", "x"), new Document("_id", "y")));
    List<Bson> stages = List.of(lookup("b", "k", "_id", "r"));
    var insensitive =
        Collation.builder().locale("en").collationStrength(CollationStrength.SECONDARY).build();
    MongoCollection<Document> collection = fixture.collection("a");

    assertThat(collection.aggregate(stages).first().getList("r", Document.class)).isEmpty();
    assertThat(
            collection
                .aggregate(stages)
                .collation(insensitive)
                .first()
                .getList("r", Document.class))
        .containsExactly(new Document("_id", "x"));
  }

  @Test
  void unitesAndBringsDocumentsAlong(DriverFixture fixture) {
    fixture.collection("a").insertOne(new Document("_id", 1));
    fixture.collection("b").insertOne(new Document("_id", 2));
    assertThat(run(fixture.collection("a"), "{$unionWith: 'b'}", "{$sort: {_id: -1}}"))
        .containsExactly(new Document("_id", 2), new Document("_id", 1));
    assertThat(
            fixture
                .database()
                .aggregate(
                    stages(
                        "{$documents: [{a: 1}, {a: 2}]}",
                        "{$lookup: {from: 'b', localField: 'a', foreignField: '_id', as: 'r'}}"))
                .into(new ArrayList<>()))
        .containsExactly(
            new Document("a", 1).append("r", List.of()),
            new Document("a", 2).append("r", List.of(new Document("_id", 2))));
  }

  @Test
  void followsReferences(DriverFixture fixture) {
    MongoCollection<Document> people = fixture.collection("people");
    people.insertMany(
        List.of(
            Document.parse("{_id: 'Dev'}"),
            Document.parse("{_id: 'Eliot', boss: 'Dev'}"),
            Document.parse("{_id: 'Ron', boss: 'Eliot'}"),
            Document.parse("{_id: 'Dan', boss: 'Asya'}")));
    assertThat(
            run(
                people,
                "{$match: {_id: 'Ron'}}",
                "{$graphLookup: {from: 'people', startWith: '$boss', connectFromField: 'boss',"
                    + " connectToField: '_id', as: 'line', depthField: 'd'}}"))
        .containsExactly(
            new Document("_id", "Ron")
                .append("boss", "Eliot")
                .append(
                    "line",
                    List.of(
                        new Document("_id", "Eliot").append("boss", "Dev").append("d", 0L),
                        new Document("_id", "Dev").append("d", 1L))));
  }

  @Test
  void looksFromSeveralSides(DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    assertThat(
            run(
                orders,
                "{$match: {n: 3}}",
                "{$facet: {first: [{$sort: {_id: 1}}, {$limit: 1}, {$project: {_id: 1}}],"
                    + " count: [{$count: 'n'}]}}"))
        .containsExactly(
            new Document("first", List.of(new Document("_id", 3)))
                .append("count", List.of(new Document("n", 129))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {$lookup: {from: 'x', as: 'r', pipeline: [{$out: 'y'}]}}   | 51047
          {$lookup: {from: 'x', as: 'r', pipeline: [{$merge: 'y'}]}} | 51047
          {$unionWith: {coll: 'x', pipeline: [{$out: 'y'}]}}         | 31441
          {$facet: {a: [{$out: 'y'}]}}                               | 40600
          {$facet: {a: [{$facet: {b: []}}]}}                         | 40600
          {$documents: []}                                           | 73
          """)
  void refuses(String stage, int code, DriverFixture fixture) {
    assertThatThrownBy(() -> run(fixture.collection("a"), stage))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code));
  }

  @Test
  void samplesAndRedacts(DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    List<Document> sample = run(orders, "{$sample: {size: 20}}");
    assertThat(sample.stream().map(each -> each.getInteger("_id")).distinct()).hasSize(20);
    assertThat(run(orders, "{$redact: {$cond: [{$lt: ['$_id', 2]}, '$$KEEP', '$$PRUNE']}}"))
        .hasSize(2);
  }

  @Test
  void explains(DriverFixture fixture) {
    MongoCollection<Document> orders = filled(fixture);
    Document explained =
        orders
            .aggregate(List.of(lookup("items", "item", "code", "found"), unwind("$found")))
            .explain(ExplainVerbosity.EXECUTION_STATS);
    assertThat(explained.toJson()).contains("$lookup").contains("\"from\": \"items\"");
  }
}
