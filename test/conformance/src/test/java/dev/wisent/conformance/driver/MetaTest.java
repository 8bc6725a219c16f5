package dev.wisent.conformance.driver;

import static com.mongodb.client.model.CollationStrength.SECONDARY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.MongoCommandException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.IndexOptions;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code $meta} in projections, sorts and pipelines, without what a text search has to say. */
@ExtendWith(DriverFixture.Extension.class)
class MetaTest {
  @BeforeEach
  void fill(DriverFixture fixture) {
    MongoCollection<Document> docs = fixture.collection("docs");
    docs.insertMany(
        documents(
            """
            [{_id: 1, a: 10, b: "x", c: [3, 1]}, {_id: 2, a: 20, b: "y", c: [2]},
             {_id: 3, a: 30, b: "z"}]
            """));
    docs.createIndex(Document.parse("{a: 1, b: 1}"));
    docs.createIndex(Document.parse("{b: 1}"));
    MongoCollection<Document> places = fixture.collection("places");
    places.insertMany(
        documents(
            """
            [{_id: 1, loc: [3, 4], g: {type: "Point", coordinates: [0, 1]}, n: [1, 2]},
             {_id: 2, loc: [0, 1], g: {type: "Point", coordinates: [0, 0]}, n: [3]},
             {_id: 3, loc: {x: 6, y: 8}, g: {type: "Point", coordinates: [0, -3]}}]
            """));
    places.createIndex(Document.parse("{loc: '2d'}"));
    places.createIndex(Document.parse("{g: '2dsphere'}"));
    fixture.database().createView("view", "docs", List.of());
  }

  private static List<Document> documents(String array) {
    return Document.parse("{v: " + array + "}").getList("v", Document.class);
  }

  private static List<Document> results(String command, DriverFixture fixture) {
    Document parsed = Document.parse(command);
    if (parsed.containsKey("aggregate")) {
      parsed.append("cursor", new Document());
    }
    return fixture
        .database()
        .runCommand(parsed)
        .get("cursor", Document.class)
        .getList("firstBatch", Document.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          filter: {a: {$gt: 20}}, projection: {_id: 0, a: 1, k: {$meta: "indexKey"}} | [{a: 30, k: {a: 30, b: "z"}}]
          filter: {a: {$gt: 20}}, projection: {_id: 0, a: 0, k: {$meta: "indexKey"}} | [{b: "z", k: {a: 30, b: "z"}}]
          filter: {a: {$gt: 20}}, projection: {_id: 1, k: {$meta: "indexKey"}}       | [{_id: 3, k: {a: 30, b: "z"}}]
          filter: {a: {$gt: 20}}, projection: {k: {$meta: "indexKey"}}               | [{_id: 3, a: 30, b: "z", k: {a: 30, b: "z"}}]
          filter: {a: 20}, limit: 1, projection: {_id: 0, k: {$meta: "indexKey"}, b: 1} | [{b: "y", k: {a: 20, b: "y"}}]
          filter: {a: 20}, limit: 1, skip: 0, projection: {"x.k": {$meta: "indexKey"}, _id: 1} | [{_id: 2, x: {k: {a: 20, b: "y"}}}]
          filter: {c: 2}, projection: {_id: 1, k: {$meta: "indexKey"}}               | [{_id: 2}]
          filter: {_id: 2}, projection: {_id: 1, k: {$meta: "indexKey"}}             | [{_id: 2}]
          filter: {_id: {$gt: 2}}, projection: {_id: 1, k: {$meta: "indexKey"}}      | [{_id: 3, k: {_id: 3}}]
          filter: {a: {$gt: 10}}, sort: {c: -1}, hint: {a: 1, b: 1}, projection: {_id: 1, k: {$meta: "indexKey"}} | [{_id: 2, k: {a: 20, b: "y"}}, {_id: 3, k: {a: 30, b: "z"}}]
          filter: {$or: [{a: 10}, {b: "z"}]}, sort: {c: -1}, projection: {_id: 1, k: {$meta: "indexKey"}} | [{_id: 1, k: {a: 10, b: "x"}}, {_id: 3, k: {b: "z"}}]
          sort: {a: -1}, projection: {_id: 1, s: {$meta: "sortKey"}}                 | [{_id: 3, s: [30]}, {_id: 2, s: [20]}, {_id: 1, s: [10]}]
          sort: {c: 1, b: -1}, projection: {_id: 1, s: {$meta: "sortKey"}}           | [{_id: 3, s: [null, "z"]}, {_id: 1, s: [1, "x"]}, {_id: 2, s: [2, "y"]}]
          filter: {_id: 1}, sort: {c: -1}, projection: {_id: 1, s: {$meta: "sortKey"}} | [{_id: 1, s: [3]}]
          sort: {$natural: -1}, limit: 1, projection: {_id: 1, s: {$meta: "sortKey"}} | [{_id: 3}]
          sort: {r: {$meta: "randVal"}}, projection: {_id: 1, s: {$meta: "sortKey"}} | [{_id: 1, s: [null]}, {_id: 2, s: [null]}, {_id: 3, s: [null]}]
          filter: {c: 3}, limit: 1, projection: {_id: 1, r: {$meta: "randVal"}, s: {$meta: "searchScore"}, h: {$meta: "searchHighlights"}, v: {$meta: "vectorSearchScore"}} | [{_id: 1}]
          filter: {a: {$gt: 20}}, projection: {_id: 1, l: {$let: {vars: {k: {$meta: "indexKey"}}, in: "$$k.b"}}} | [{_id: 3, l: "z"}]
          filter: {a: {$gt: 20}}, returnKey: true, projection: {_id: 1}              | [{a: 30, b: "z"}]
          filter: {a: {$gt: 10}}, sort: {a: -1}, returnKey: true, projection: {b: 1, s: {$meta: "sortKey"}} | [{a: 30, b: "z", s: [30]}, {a: 20, b: "y", s: [20]}]
          filter: {a: {$gt: 10}}, sort: {c: 1}, hint: {a: 1, b: 1}, returnKey: true, projection: {s: {$meta: "sortKey"}} | [{a: 30, b: "z", s: [null]}, {a: 20, b: "y", s: [2]}]
          """)
  void find(String options, String expected, DriverFixture fixture) {
    assertThat(results("{find: 'docs', " + options + "}", fixture)).isEqualTo(documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {loc: {$near: [0, 0]}}, projection: {_id: 1, d: {$meta: "geoNearDistance"}} | [{_id: 2, d: 1.0}, {_id: 1, d: 5.0}, {_id: 3, d: 10.0}]
          {loc: {$near: [0, 0], $maxDistance: 5}}, projection: {_id: 1, p: {$meta: "geoNearPoint"}} | [{_id: 2, p: [0, 1]}, {_id: 1, p: [3, 4]}]
          {loc: {$near: [0, 0]}, _id: 3}, projection: {_id: 0, loc: 1, d: {$meta: "geoNearDistance"}, p: {$meta: "geoNearPoint"}} | [{loc: {x: 6, y: 8}, d: 10.0, p: {x: 6, y: 8}}]
          {loc: {$near: [0, 0]}}, sort: {d: {$meta: "geoNearDistance"}}, projection: {_id: 1} | [{_id: 3}, {_id: 1}, {_id: 2}]
          {loc: {$near: [0, 0]}}, sort: {_id: -1}, limit: 2, projection: {_id: 1, d: {$meta: "geoNearDistance"}, s: {$meta: "sortKey"}} | [{_id: 3, d: 10.0, s: [3]}, {_id: 2, d: 1.0, s: [2]}]
          {loc: {$near: [0, 0]}}, limit: 1, projection: {_id: 1, d: {$add: [1, {$meta: "geoNearDistance"}]}, k: {$meta: "indexKey"}} | [{_id: 2, d: 2.0}]
          {g: {$nearSphere: [0, 0]}}, limit: 1, projection: {_id: 1, d: {$meta: "geoNearDistance"}} | [{_id: 2, d: 0.0}]
          """)
  void near(String find, String expected, DriverFixture fixture) {
    assertThat(results("{find: 'places', filter: " + find + "}", fixture))
        .isEqualTo(documents(expected));
  }

  @Test
  void distancesOnTheSphere(DriverFixture fixture) {
    String command =
        """
        {find: "places", filter: {g: {$nearSphere: %s}}, limit: 2,
         projection: {_id: 1, d: {$meta: "geoNearDistance"}}}
        """;
    double radians = results(command.formatted("[0, 0]"), fixture).getLast().getDouble("d");
    assertThat(radians).isCloseTo(Math.PI / 180, within(1e-9));
    String point = "{$geometry: {type: 'Point', coordinates: [0, 0]}}";
    double meters = results(command.formatted(point), fixture).getLast().getDouble("d");
    assertThat(meters).isCloseTo(radians * 6378100, within(1e-3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          docs | [{$match: {a: {$gt: 20}}}, {$project: {k: {$meta: "indexKey"}}}] | [{_id: 3, k: {a: 30, b: "z"}}]
          docs | [{$match: {a: 20}}, {$limit: 1}, {$set: {k: {$meta: "indexKey"}, c: "$$REMOVE"}}] | [{_id: 2, a: 20, b: "y", k: {a: 20, b: "y"}}]
          docs | [{$match: {_id: 2}}, {$project: {_id: 1, k: {$meta: "indexKey"}}}] | [{_id: 2}]
          docs | [{$match: {a: {$gt: 10}}}, {$group: {_id: {$meta: "indexKey"}}}, {$sort: {_id: 1}}] | [{_id: {a: 20, b: "y"}}, {_id: {a: 30, b: "z"}}]
          docs | [{$sort: {a: -1}}, {$limit: 2}, {$project: {s: {$meta: "sortKey"}}}] | [{_id: 3, s: [30]}, {_id: 2, s: [20]}]
          docs | [{$sort: {c: 1}}, {$set: {s: {$meta: "sortKey"}}}, {$skip: 1}, {$project: {s: 1}}] | [{_id: 1, s: [1]}, {_id: 2, s: [2]}]
          docs | [{$sort: {a: 1}}, {$unwind: "$c"}, {$project: {c: 1, s: {$meta: "sortKey"}}}] | [{_id: 1, c: 3, s: [10]}, {_id: 1, c: 1, s: [10]}, {_id: 2, c: 2, s: [20]}]
          docs | [{$match: {c: 3}}, {$limit: 1}, {$set: {s: {$meta: "sortKey"}}}, {$project: {s: 1}}] | [{_id: 1}]
          docs | [{$match: {c: 3}}, {$limit: 1}, {$project: {s: {$meta: "searchScore"}, t: {$meta: "searchSequenceToken"}, d: {$meta: "searchScoreDetails"}}}] | [{_id: 1}]
          docs | [{$sort: {a: 1}}, {$group: {_id: null, s: {$push: {$meta: "sortKey"}}}}] | [{_id: null, s: [[10], [20], [30]]}]
          view | [{$match: {a: {$gt: 20}}}, {$project: {k: {$meta: "indexKey"}}}] | [{_id: 3, k: {a: 30, b: "z"}}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x", distanceMultiplier: 2}}, {$project: {x: 1, d: {$meta: "geoNearDistance"}, p: {$meta: "geoNearPoint"}}}] | [{_id: 2, x: 2.0, d: 1.0, p: [0, 1]}, {_id: 1, x: 10.0, d: 5.0, p: [3, 4]}, {_id: 3, x: 20.0, d: 10.0, p: {x: 6, y: 8}}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$match: {_id: {$lt: 3}}}, {$unwind: "$n"}, {$sort: {_id: 1, n: -1}}, {$replaceWith: {n: "$n", d: {$meta: "geoNearDistance"}}}] | [{n: 2, d: 5.0}, {n: 1, d: 5.0}, {n: 3, d: 1.0}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$sort: {y: {$meta: "geoNearDistance"}}}, {$project: {_id: 1}}] | [{_id: 3}, {_id: 1}, {_id: 2}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$group: {_id: null, m: {$max: {$meta: "geoNearDistance"}}}}, {$set: {d: {$meta: "geoNearDistance"}}}] | [{_id: null, m: 10.0}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$limit: 1}, {$facet: {f: [{$project: {d: {$meta: "geoNearDistance"}}}], g: [{$project: {_id: 1}}], h: [{$limit: 1}]}}, {$project: {f: 1, g: 1, "h._id": 1}}] | [{f: [{_id: 2, d: 1.0}], g: [{_id: 2}], h: [{_id: 2}]}]
          places | [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$limit: 1}, {$project: {s: {$meta: "sortKey"}}}] | [{_id: 2}]
          docs | [{$match: {_id: 2}}, {$lookup: {from: "places", let: {i: "$_id"}, as: "p", pipeline: [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$match: {$expr: {$eq: ["$_id", "$$i"]}}}, {$project: {d: {$meta: "geoNearDistance"}}}]}}, {$project: {p: 1}}] | [{_id: 2, p: [{_id: 2, d: 1.0}]}]
          docs | [{$match: {a: 20}}, {$lookup: {from: "docs", let: {k: {$meta: "indexKey"}}, as: "p", pipeline: [{$match: {$expr: {$eq: ["$b", "$$k.b"]}}}, {$project: {_id: 1}}]}}, {$project: {p: 1, k: {$meta: "indexKey"}}}] | [{_id: 2, p: [{_id: 2}], k: {a: 20, b: "y"}}]
          docs | [{$match: {_id: 2}}, {$lookup: {from: "docs", localField: "b", foreignField: "b", as: "p", pipeline: [{$project: {k: {$meta: "indexKey"}}}]}}, {$project: {p: 1}}] | [{_id: 2, p: [{_id: 2, k: {b: "y"}}]}]
          docs | [{$match: {a: 20}}, {$project: {k: {$meta: "indexKey"}}}, {$unionWith: {coll: "docs", pipeline: [{$match: {b: "z"}}, {$project: {k: {$meta: "indexKey"}}}]}}] | [{_id: 2, k: {a: 20, b: "y"}}, {_id: 3, k: {b: "z"}}]
          """)
  void aggregate(String collection, String pipeline, String expected, DriverFixture fixture) {
    String command = "{aggregate: '" + collection + "', pipeline: " + pipeline + "}";
    assertThat(results(command, fixture)).isEqualTo(documents(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {find: "docs", projection: {d: {$meta: "geoNearDistance"}}}                | 40218 | query requires $geoNear distance metadata, but it is not available
          {find: "docs", projection: {d: {$meta: "geoNearPoint"}}}                   | 40218 | query requires $geoNear point metadata, but it is not available
          {find: "docs", filter: {_id: 1}, projection: {d: {$meta: "geoNearPoint"}}} | 40218 | query requires $geoNear point metadata, but it is not available
          {find: "docs", sort: {d: {$meta: "geoNearDistance"}}}                      | 40218 | query requires $geoNear distance metadata, but it is not available
          {find: "missing", projection: {d: {$meta: "geoNearDistance"}}}             | 40218 | query requires $geoNear distance metadata, but it is not available
          {find: "places", filter: {loc: {$geoWithin: {$center: [[0, 0], 5]}}}, projection: {d: {$meta: "geoNearDistance"}}} | 40218 | query requires $geoNear distance metadata, but it is not available
          {find: "places", filter: {loc: {$near: [0, 0]}}, projection: {d: {$meta: "textScore"}}} | 40218 | query requires text score metadata, but it is not available
          {find: "docs", projection: {s: {$meta: "sortKey"}}}                        | 2     | cannot use sortKey $meta projection without a sort
          {find: "docs", filter: {_id: 1}, projection: {s: {$meta: "sortKey"}}}      | 2     | cannot use sortKey $meta projection without a sort
          {find: "docs", projection: {s: {$meta: "score"}}}                          | 9     | 'featureFlagRankFusionFull' must be enabled to use 'score' or 'scoreDetails' meta field
          {find: "docs", projection: {s: {$meta: "nothing"}}}                        | 17308 | Unsupported argument to $meta: nothing
          {find: "docs", projection: {s: {$meta: 1}}}                                | 17307 | $meta only supports string arguments
          {find: "docs", sort: {s: {$meta: "recordId"}}}                             | 31138 | Illegal $meta sort: $meta: "recordId"
          {find: "docs", sort: {s: {$meta: "searchScore"}}}                          | 31218 | $meta sort by 'searchScore' metadata is not supported
          {aggregate: "docs", cursor: {}, pipeline: [{$set: {d: {$meta: "geoNearDistance"}}}]} | 40218 | query requires $geoNear distance metadata, but it is not available
          {aggregate: "docs", cursor: {}, pipeline: [{$sort: {d: {$meta: "geoNearDistance"}}}]} | 40218 | query requires $geoNear distance metadata, but it is not available
          {aggregate: "docs", cursor: {}, pipeline: [{$group: {_id: null}}, {$set: {d: {$meta: "geoNearPoint"}}}]} | 40218 | query requires $geoNear point metadata, but it is not available
          {aggregate: "docs", cursor: {}, pipeline: [{$facet: {f: [{$group: {_id: {$meta: "textScore"}}}]}}]} | 40218 | query requires text score metadata, but it is not available
          {aggregate: "missing", cursor: {}, pipeline: [{$set: {d: {$meta: "geoNearDistance"}}}]} | 40218 | query requires $geoNear distance metadata, but it is not available
          {aggregate: "places", cursor: {}, pipeline: [{$geoNear: {near: [0, 0], key: "loc", distanceField: "x"}}, {$set: {s: {$meta: "textScore"}}}]} | 40218 | query requires text score metadata, but it is not available
          {aggregate: "docs", cursor: {}, pipeline: [{$match: {a: 10}}, {$project: {s: {$meta: "sortKey"}}}]} | 2 | cannot use sortKey $meta projection without a sort
          {aggregate: "docs", cursor: {}, pipeline: [{$lookup: {from: "docs", as: "x", pipeline: [{$set: {d: {$meta: "geoNearDistance"}}}]}}]} | 40218 | query requires $geoNear distance metadata, but it is not available
          {explain: {find: "docs", projection: {d: {$meta: "geoNearDistance"}}}}     | 40218 | query requires $geoNear distance metadata, but it is not available
          {findAndModify: "docs", query: {a: 10}, sort: {a: 1}, remove: true, fields: {s: {$meta: "sortKey"}}} | 2 | Cannot use a $meta sortKey projection in findAndModify commands.
          {find: "view", projection: {d: {$meta: "geoNearDistance"}}}                | 40218 | query requires $geoNear distance metadata, but it is not available
          {find: "view", projection: {s: {$meta: "sortKey"}}}                        | 2     | cannot use sortKey $meta projection without a sort
          """)
  void refusals(String command, int code, String message, DriverFixture fixture) {
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> fixture.database().runCommand(Document.parse(command)));
    assertThat(e).isNotNull();
    assertThat(e.getErrorMessage()).contains(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
  }

  /** They are those that {@code showRecordId} shows, whatever way the documents take. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {find: "docs", projection: {m: {$meta: "recordId"}}}
          {find: "docs", sort: {c: -1}, projection: {_id: 1, m: {$meta: "recordId"}}}
          {find: "docs", filter: {a: {$gt: 1}}, projection: {b: 1, m: {$meta: "recordId"}}}
          {find: "docs", filter: {_id: 2}, projection: {b: 0, m: {$meta: "recordId"}}}
          {find: "view", projection: {_id: 1, m: {$meta: "recordId"}}}
          {aggregate: "docs", pipeline: [{$sort: {c: 1}}, {$unwind: {path: "$c", preserveNullAndEmptyArrays: true}}, {$set: {m: {$meta: "recordId"}}}]}
          {aggregate: "docs", pipeline: [{$sample: {size: 2}}, {$set: {m: {$meta: "recordId"}}}]}
          """)
  void recordIds(String command, DriverFixture fixture) {
    var shown = new Document();
    for (Document document : fixture.collection("docs").find().showRecordId(true)) {
      shown.append(document.get("_id").toString(), document.get("$recordId"));
    }
    List<Document> results = results(command, fixture);
    assertThat(results).isNotEmpty();
    for (Document document : results) {
      assertThat(document.get("m"))
          .isInstanceOf(Long.class)
          .isEqualTo(shown.get(document.get("_id").toString()));
    }
  }

  @Test
  void samplesHaveTheNumbersOfTheirOrder(DriverFixture fixture) {
    MongoCollection<Document> many = fixture.collection("many");
    var documents = new ArrayList<Document>();
    for (int i = 0; i < 300; i++) {
      documents.add(new Document("_id", i));
    }
    many.insertMany(documents);
    for (String first : List.of("{$match: {_id: {$gte: 0}}}, ", "")) {
      for (int size : List.of(5, 200)) {
        String command =
            """
            {aggregate: "many", pipeline: [%s {$sample: {size: %d}}, {$set: {r: {$meta: "randVal"}}},
             {$sort: {x: {$meta: "randVal"}}}]}
            """
                .formatted(first, size);
        List<Document> results = results(command, fixture);
        assertThat(results)
            .extracting(document -> document.getDouble("r"))
            .allMatch(value -> value >= 0 && value < 1)
            .isSortedAccordingTo((a, b) -> Double.compare(b, a));
      }
    }
  }

  /** As {@code returnKey} shows the keys of strings. */
  @Test
  void keysUnderACollation(DriverFixture fixture) {
    MongoCollection<Document> docs = fixture.collection("docs");
    Collation loose = Collation.builder().locale("en").collationStrength(SECONDARY).build();
    docs.createIndex(Document.parse("{b: -1}"), new IndexOptions().collation(loose).name("loose"));
    for (String hint : List.of("loose", "_id_")) {
      FindIterable<Document> find =
          docs.find().sort(Document.parse("{b: 1}")).collation(loose).hintString(hint);
      List<Document> shown =
          find.projection(Document.parse("{s: {$meta: 'sortKey'}, k: {$meta: 'indexKey'}}"))
              .into(new ArrayList<>());
      List<Document> keys = find.projection(null).returnKey(true).into(new ArrayList<>());
      assertThat(shown).extracting(document -> document.get("_id")).containsExactly(1, 2, 3);
      assertThat(shown).extracting(document -> document.get("k")).isEqualTo(keys);
      assertThat(shown)
          .allMatch(d -> d.getList("s", String.class).getFirst().startsWith("0x"))
          .doesNotHaveDuplicates();
    }
  }

  @Test
  void manyBatches(DriverFixture fixture) {
    MongoCollection<Document> many = fixture.collection("many");
    var documents = new ArrayList<Document>();
    for (int i = 0; i < 300; i++) {
      documents.add(new Document("_id", i).append("p", List.of(i / 10.0, 0)).append("v", i % 7));
    }
    many.insertMany(documents);
    many.createIndex(Document.parse("{p: '2d'}"));
    many.createIndex(Document.parse("{v: 1}"));
    int seen = 0;
    for (Document document :
        many.find(Document.parse("{p: {$near: [0, 0]}}"))
            .projection(Document.parse("{d: {$meta: 'geoNearDistance'}}"))
            .batchSize(7)) {
      assertThat(document.getDouble("d")).isEqualTo(document.getInteger("_id") / 10.0);
      seen++;
    }
    for (Document document :
        many.aggregate(
                List.of(
                    Document.parse("{$match: {v: {$gte: 1}}}"),
                    Document.parse("{$sort: {_id: -1}}"),
                    Document.parse("{$set: {k: {$meta: 'indexKey'}, s: {$meta: 'sortKey'}}}")))
            .hint(Document.parse("{v: 1}"))
            .batchSize(7)) {
      assertThat(document.get("k")).isEqualTo(new Document("v", document.get("v")));
      assertThat(document.get("s")).isEqualTo(List.of(document.get("_id")));
      seen++;
    }
    assertThat(seen).isEqualTo(300 + 257);
  }

  @Test
  void plansReadWhatIsAskedFor(DriverFixture fixture) {
    Document explained =
        fixture
            .database()
            .runCommand(
                Document.parse(
                    """
                    {explain: {find: "docs", filter: {a: 20}, limit: 1,
                      projection: {_id: 0, a: 1, k: {$meta: "indexKey"}}},
                     verbosity: "queryPlanner"}
                    """));
    Document plan = Plans.winner(explained);
    assertThat(plan.toJson()).contains("PROJECTION_DEFAULT", "FETCH", "IXSCAN");
    assertThat(plan.toJson()).doesNotContain("EXPRESS", "COVERED");
    explained =
        fixture
            .database()
            .runCommand(
                Document.parse(
                    """
                    {explain: {aggregate: "docs", cursor: {}, pipeline: [{$match: {a: 20}},
                       {$limit: 1}, {$set: {k: {$meta: "indexKey"}, s: {$meta: "recordId"}}}]},
                     verbosity: "queryPlanner"}
                    """));
    assertThat(explained.toJson())
        .contains("\"transformBy\": {\"$indexKey\": {\"$meta\": \"indexKey\"}")
        .doesNotContain("EXPRESS");
  }
}
