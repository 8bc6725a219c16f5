package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Groups as clients ask for them. */
@ExtendWith(DriverFixture.Extension.class)
class GroupingTest {
  private static final int[] MONTH_DAYS = {31, 28, 31};

  private static List<Document> documents(String array) {
    return Document.parse("{d: " + array + "}").getList("d", Document.class);
  }

  private static List<Document> aggregate(MongoCollection<Document> collection, String pipeline) {
    return collection.aggregate(documents(pipeline)).into(new ArrayList<>());
  }

  /** Members who joined in January, February and March, whatever the year. */
  @Test
  void countsMembersByMonth(DriverFixture fixture) {
    MongoCollection<Document> users = fixture.collection("users");
    int[] joined = {3, 9, 5};
    var members = new ArrayList<Document>();
    for (int month = 0; month < joined.length; month++) {
      for (int i = 0; i < joined[month]; i++) {
        int day = 1 + i * 3 % MONTH_DAYS[month];
        String date = "%d-%02d-%02dT12:00:00Z".formatted(2009 + i % 4, month + 1, day);
        members.add(
            Document.parse(
                "{_id: 'user%d-%d', joined: {$date: '%s'}, likes: ['golf']}"
                    .formatted(month, i, date)));
      }
    }
    users.insertMany(members);
    assertThat(
            aggregate(
                users,
                "[{$project: {month_joined: {$month: '$joined'}}}, {$group: {_id: {month_joined:"
                    + " '$month_joined'}, number: {$sum: 1}}}, {$sort: {'_id.month_joined': 1}}]"))
        .isEqualTo(
            documents(
                "[{_id: {month_joined: 1}, number: 3}, {_id: {month_joined: 2}, number: 9},"
                    + " {_id: {month_joined: 3}, number: 5}]"));
  }

  @Test
  void describesEachHostAndDay(DriverFixture fixture) {
    MongoCollection<Document> hits = fixture.collection("hits");
    hits.insertMany(
        documents(
            """
            [{host: 'a.example', at: {$date: '2024-02-28T23:59:59.999Z'}, bytes: 100, ms: 1.5},
             {host: 'b.example', at: {$date: '2024-02-29T00:00:00Z'}, bytes: 50, ms: 4.0},
             {host: 'a.example', at: {$date: '2024-02-29T00:00:00Z'}, bytes: 200, ms: 0.5},
             {host: 'a.example', at: {$date: '2024-02-29T12:00:00Z'}, bytes: {$numberLong: '300'}, ms: 2.5},
             {host: 'a.example', at: {$date: '2024-02-29T23:59:59Z'}, bytes: 700, ms: 3.0, error: true}]
            """));
    assertThat(
            aggregate(
                hits,
                """
                [{$sort: {at: 1}},
                 {$group: {
                    _id: {host: '$host', day: {$dateToString: {date: '$at', format: '%Y-%m-%d'}}},
                    hits: {$count: {}}, bytes: {$sum: '$bytes'}, average: {$avg: '$ms'},
                    fastest: {$min: '$ms'}, slowest: {$max: '$ms'}, deviation: {$stdDevPop: '$bytes'},
                    errors: {$sum: {$cond: ['$error', 1, 0]}}, first: {$first: '$bytes'},
                    sizes: {$push: '$bytes'}}},
                 {$sort: {_id: 1}}]
                """))
        .isEqualTo(
            documents(
                """
                [{_id: {host: 'a.example', day: '2024-02-28'}, hits: 1, bytes: 100, average: 1.5,
                  fastest: 1.5, slowest: 1.5, deviation: 0.0, errors: 0, first: 100, sizes: [100]},
                 {_id: {host: 'a.example', day: '2024-02-29'}, hits: 3, bytes: {$numberLong: '1200'},
                  average: 2.0, fastest: 0.5, slowest: 3.0, deviation: 216.02468994692868, errors: 1,
                  first: 200, sizes: [200, {$numberLong: '300'}, 700]},
                 {_id: {host: 'b.example', day: '2024-02-29'}, hits: 1, bytes: 50, average: 4.0,
                  fastest: 4.0, slowest: 4.0, deviation: 0.0, errors: 0, first: 50, sizes: [50]}]
                """));
  }

  @Test
  void bucketsAndTops(DriverFixture fixture) {
    MongoCollection<Document> scores = fixture.collection("scores");
    scores.insertMany(
        documents(
            "[{name: 'ann', score: 31}, {name: 'bob', score: 12}, {name: 'cid', score: 25},"
                + " {name: 'dot', score: 99}]"));
    assertThat(
            aggregate(
                scores,
                "[{$bucket: {groupBy: '$score', boundaries: [0, 20, 40], default: 'more', output:"
                    + " {best: {$top: {sortBy: {score: -1}, output: '$name'}}}}}]"))
        .isEqualTo(
            documents(
                "[{_id: 0, best: 'bob'}, {_id: 20, best: 'ann'}, {_id: 'more', best: 'dot'}]"));
    assertThat(aggregate(scores, "[{$bucketAuto: {groupBy: '$score', buckets: 2}}]"))
        .isEqualTo(
            documents(
                "[{_id: {min: 12, max: 31}, count: 2}, {_id: {min: 31, max: 99}, count: 2}]"));
    assertThat(aggregate(scores, "[{$sortByCount: {$gt: ['$score', 30]}}, {$limit: 1}]"))
        .hasSize(1);
  }

  @Test
  void accumulatesWithFunctions(DriverFixture fixture) {
    MongoCollection<Document> books = fixture.collection("books");
    books.insertMany(
        documents(
            "[{author: 'Dante', copies: 2}, {author: 'Homer', copies: 10}, {author: 'Dante',"
                + " copies: 1}]"));
    String accumulator =
        """
        {init: 'function (start) { return {count: start, sum: 0}; }', initArgs: [0],
         accumulate: 'function (state, n) { return {count: state.count + 1, sum: state.sum + n}; }',
         accumulateArgs: ['$copies'],
         merge: 'function (a, b) { return {count: a.count + b.count, sum: a.sum + b.sum}; }',
         finalize: 'function (state) { return state.sum / state.count; }', lang: 'js'}
        """;
    assertThat(
            aggregate(
                books,
                "[{$group: {_id: '$author', average: {$accumulator: "
                    + accumulator
                    + "}}}, {$sort: {_id: 1}}]"))
        .isEqualTo(documents("[{_id: 'Dante', average: 1.5}, {_id: 'Homer', average: 10.0}]"));
    assertThat(error(books, "{$accumulator: 1}")).isEqualTo(4544703);
    assertThat(error(books, "{$accumulator: {lang: 1}}")).isEqualTo(4544704);
    assertThat(error(books, "{$accumulator: {lang: 'lua'}}")).isEqualTo(4544705);
    assertThat(error(books, "{$accumulator: {x: 1}}")).isEqualTo(4544706);
    assertThat(error(books, "{$accumulator: {lang: 'js'}}")).isEqualTo(4544707);
    assertThat(error(books, "{$accumulator: {init: '$copies'}}")).isEqualTo(4544701);
    assertThat(error(books, "{$accumulator: {init: 1}}")).isEqualTo(4544702);
    String init = "init: 'function () { return 1; }'";
    assertThat(error(books, "{$accumulator: {" + init + "}}")).isEqualTo(4544708);
    String accumulate = ", accumulate: 'function (a) { return a; }'";
    assertThat(error(books, "{$accumulator: {" + init + accumulate + "}}")).isEqualTo(4544709);
    String merge = ", merge: 'function (a) { return a; }'";
    String functions = init + accumulate + merge;
    assertThat(error(books, "{$accumulator: {" + functions + "}}")).isEqualTo(4544710);
    assertThat(error(books, "{$accumulator: {" + functions + ", accumulateArgs: 1}}"))
        .isEqualTo(4544712);
    assertThat(error(books, "{$accumulator: {" + functions + ", accumulateArgs: [], initArgs: 1}}"))
        .isEqualTo(4544711);
  }

  private static int error(MongoCollection<Document> collection, String accumulator) {
    return catchThrowableOfType(
            MongoCommandException.class,
            () -> aggregate(collection, "[{$group: {_id: null, v: " + accumulator + "}}]"))
        .getErrorCode();
  }

  /** Stages may hold more between them, but what a client gets is a document. */
  @Test
  void resultsAreNoLargerThanDocuments(DriverFixture fixture) {
    MongoCollection<Document> large = fixture.collection("large");
    for (int i = 0; i < 3; i++) {
      large.insertOne(new Document("_id", i).append("b", new Binary(new byte[7 << 20])));
    }
    String group = "{$group: {_id: null, all: {$push: '$b'}}}";
    MongoCommandException error =
        catchThrowableOfType(
            MongoCommandException.class, () -> aggregate(large, "[" + group + "]"));
    assertThat(error.getErrorCode()).isEqualTo(10334);
    assertThat(error.getErrorMessage()).contains("BSONObj size: 22020");
    assertThat(aggregate(large, "[" + group + ", {$project: {n: {$size: '$all'}}}]"))
        .isEqualTo(documents("[{_id: null, n: 3}]"));
  }
}
