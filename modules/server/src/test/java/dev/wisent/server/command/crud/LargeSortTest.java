package dev.wisent.server.command.crud;

import static dev.wisent.server.harness.Replies.assertCode;
import static dev.wisent.server.harness.Replies.assertError;
import static dev.wisent.server.harness.Replies.number;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Sorts;
import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sorts that do not fit in their memory, which is made small here. */
class LargeSortTest {
  @RegisterExtension static final EmbeddedServer SERVER = new EmbeddedServer();

  private static final String MEMORY = "internalQueryMaxBlockingSortMemoryUsageBytes";
  private static final int MEMORY_BYTES = 100_000;
  private static final int DOCUMENTS = 3_000;
  private static final String TOO_LARGE =
      "Sort exceeded memory limit of 100000 bytes, but did not opt in to external sorting.";

  private static MongoCollection<BsonDocument> collection;

  @BeforeAll
  static void insert() {
    collection = SERVER.fresh("sorted");
    var documents = new ArrayList<BsonDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          new BsonDocument("_id", new BsonInt32(i))
              .append("a", new BsonInt32(i * 7919 % DOCUMENTS))
              .append("text", new BsonString("x".repeat(200))));
    }
    collection.insertMany(documents);
    SERVER.admin("{setParameter: 1, " + MEMORY + ": " + MEMORY_BYTES + "}");
  }

  @AfterAll
  static void restore() {
    SERVER.admin("{setParameter: 1, " + MEMORY + ": 104857600}");
  }

  private static List<Integer> values(Iterable<BsonDocument> documents) {
    var values = new ArrayList<Integer>();
    documents.forEach(document -> values.add(document.getInt32("a").getValue()));
    return values;
  }

  private static void assertAll(List<Integer> values) {
    assertThat(values).hasSize(DOCUMENTS).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void aSortMayUseTheDiskUnlessToldOtherwise() {
    assertAll(values(collection.find().sort(Sorts.ascending("a"))));
    assertAll(values(collection.find().sort(Sorts.ascending("a")).allowDiskUse(true)));
    assertAll(values(collection.aggregate(List.of(Aggregates.sort(Sorts.ascending("a"))))));
    assertAll(
        values(
            collection.aggregate(
                List.of(Aggregates.skip(0), Aggregates.sort(Sorts.ascending("a"))))));
  }

  @Test
  void withoutTheDiskItFails() {
    assertError(
        SERVER.fail("{find: 'sorted', sort: {a: 1}, allowDiskUse: false}"),
        292,
        "Executor error during find command: test.sorted :: caused by :: " + TOO_LARGE);
    assertError(
        SERVER.fail(
            "{aggregate: 'sorted', pipeline: [{$sort: {a: 1}}], cursor: {}, allowDiskUse: false}"),
        292,
        "PlanExecutor error during aggregation :: caused by :: " + TOO_LARGE);
    assertError(
        SERVER.fail(
            "{aggregate: 'sorted', pipeline: [{$skip: 1}, {$sort: {a: 1}}], cursor: {},"
                + " allowDiskUse: false}"),
        292,
        "PlanExecutor error during aggregation :: caused by :: " + TOO_LARGE);
  }

  @Test
  void theDefaultCanBeChanged() {
    assertThat(SERVER.admin("{getParameter: 1, allowDiskUseByDefault: 1}"))
        .containsEntry("allowDiskUseByDefault", org.bson.BsonBoolean.TRUE);
    SERVER.admin("{setParameter: 1, allowDiskUseByDefault: false}");
    try {
      assertCode(SERVER.fail("{find: 'sorted', sort: {a: 1}}"), 292);
      assertAll(values(collection.find().sort(Sorts.ascending("a")).allowDiskUse(true)));
    } finally {
      SERVER.admin("{setParameter: 1, allowDiskUseByDefault: true}");
    }
  }

  @Test
  void aLimitNeedsNoDisk() {
    assertThat(values(collection.find().sort(Sorts.descending("a")).limit(3).allowDiskUse(false)))
        .containsExactly(DOCUMENTS - 1, DOCUMENTS - 2, DOCUMENTS - 3);
  }

  @Test
  void whatTheFindAllowedHoldsForItsGetMores() {
    BsonDocument cursor =
        SERVER
            .run("{find: 'sorted', sort: {a: 1}, batchSize: 0, allowDiskUse: false}")
            .getDocument("cursor");
    long id = number(cursor, "id");
    assertError(
        SERVER.fail("{getMore: {$numberLong: '" + id + "'}, collection: 'sorted'}"),
        292,
        "Executor error during getMore :: caused by :: " + TOO_LARGE);
  }

  @Test
  void theMemoryHasALowerBound() {
    assertCode(SERVER.fail("admin", "{setParameter: 1, " + MEMORY + ": -1}"), 2);
    assertCode(SERVER.fail("admin", "{setParameter: 1, " + MEMORY + ": 'x'}"), 2);
  }
}
