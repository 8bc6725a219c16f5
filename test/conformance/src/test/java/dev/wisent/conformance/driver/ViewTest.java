package dev.wisent.conformance.driver;

import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CreateViewOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What views show, and how they are created, changed, listed and dropped. */
@ExtendWith(DriverFixture.Extension.class)
class ViewTest {
  private static final int BAD_VALUE = 2;
  private static final int GRAPH_CONTAINS_CYCLE = 5;
  private static final int TYPE_MISMATCH = 14;
  private static final int NAMESPACE_EXISTS = 48;
  private static final int INVALID_OPTIONS = 72;
  private static final int INVALID_NAMESPACE = 73;
  private static final int VIEW_DEPTH_LIMIT_EXCEEDED = 165;
  private static final int OPTION_NOT_SUPPORTED_ON_VIEW = 167;

  /** Ten documents; a view of every third; and a view on that with fewer fields. */
  private static void seed(DriverFixture fixture) {
    fixture
        .collection("src")
        .insertMany(
            IntStream.range(0, 10)
                .mapToObj(
                    i ->
                        new Document("_id", i)
                            .append("g", i % 3)
                            .append("v", i * 10)
                            .append("tags", List.of(i, i + 1)))
                .toList());
    create(fixture, "ones", "src", "[{$match: {g: 1}}]");
    create(fixture, "slim", "ones", "[{$project: {v: 1, g: 1}}]");
  }

  private static void create(DriverFixture fixture, String name, String on, String pipeline) {
    fixture.database().createView(name, on, stages(pipeline));
  }

  private static List<Document> stages(String json) {
    return Document.parse("{p: " + json + "}").getList("p", Document.class);
  }

  private static List<Integer> ids(Iterable<Document> documents) {
    var ids = new ArrayList<Integer>();
    documents.forEach(document -> ids.add(document.getInteger("_id")));
    return ids;
  }

  private static Document run(DriverFixture fixture, String command) {
    return fixture.database().runCommand(Document.parse(command));
  }

  private static void assertFails(DriverFixture fixture, String command, int code, String message) {
    MongoCommandException e =
        catchThrowableOfType(MongoCommandException.class, () -> run(fixture, command));
    assertThat(e).as(command).isNotNull();
    assertThat(e.getErrorMessage()).as(command).isEqualTo(message);
    assertThat(e.getErrorCode()).as(command).isEqualTo(code);
  }

  @Test
  void findReadsThroughViews(DriverFixture fixture) {
    seed(fixture);

    assertThat(inOrderOfIds(ids(fixture.collection("ones").find()))).containsExactly(1, 4, 7);
    assertThat(
            fixture
                .collection("slim")
                .find(Filters.gt("v", 10))
                .sort(Sorts.descending("v"))
                .limit(1)
                .projection(Projections.include("v"))
                .first())
        .isEqualTo(new Document("_id", 7).append("v", 70));
    assertThat(fixture.collection("slim").find(Filters.eq("_id", 4)).first())
        .isEqualTo(new Document("_id", 4).append("g", 1).append("v", 40));
  }

  @Test
  void viewsHaveTheOrderOfTheCollection(DriverFixture fixture) {
    seed(fixture);

    assertThat(ids(fixture.collection("ones").find().skip(1))).containsExactly(4, 7);
    assertThat(ids(fixture.collection("ones").find().sort(new Document("$natural", -1))))
        .containsExactly(7, 4, 1);
  }

  @Test
  void countDistinctAndAggregateReadThroughViews(DriverFixture fixture) {
    seed(fixture);
    MongoCollection<Document> ones = fixture.collection("ones");

    assertThat(ones.countDocuments()).isEqualTo(3);
    assertThat(ones.estimatedDocumentCount()).isEqualTo(3);
    assertThat(run(fixture, "{count: 'ones', query: {v: {$gt: 10}}}").get("n")).isEqualTo(2);
    assertThat(run(fixture, "{count: 'ones', skip: 1, limit: 1}").get("n")).isEqualTo(1);
    assertThat(run(fixture, "{count: 'ones', query: {v: 5}}").get("n")).isEqualTo(0);
    assertThat(ones.distinct("v", Filters.gt("v", 10), Integer.class).into(new ArrayList<>()))
        .containsExactlyInAnyOrder(40, 70);
    assertThat(ones.distinct("tags", Integer.class).into(new ArrayList<>()))
        .containsExactlyInAnyOrder(1, 2, 4, 5, 7, 8);
    assertThat(
            fixture.collection("slim").aggregate(stages("[{$group: {_id: null, sum: {$sum: 1}}}]")))
        .containsExactly(new Document("_id", null).append("sum", 3));
  }

  @Test
  void cursorsGoOnUnderTheNameOfTheView(DriverFixture fixture) {
    seed(fixture);
    assertThat(inOrderOfIds(ids(fixture.collection("ones").find().batchSize(2))))
        .containsExactly(1, 4, 7);
    assertThat(
            inOrderOfIds(
                ids(fixture.collection("ones").aggregate(stages("[{$match: {}}]")).batchSize(2))))
        .containsExactly(1, 4, 7);

    Document cursor = run(fixture, "{find: 'slim', batchSize: 2}").get("cursor", Document.class);

    assertThat(cursor.getString("ns")).isEqualTo("driver_tests.slim");
    Document rest =
        fixture
            .database()
            .runCommand(new Document("getMore", cursor.getLong("id")).append("collection", "slim"));
    assertThat(rest.get("cursor", Document.class).getString("ns")).isEqualTo("driver_tests.slim");
    assertThat(rest.get("cursor", Document.class).getList("nextBatch", Document.class)).hasSize(1);
  }

  @Test
  void aViewOfNothingIsEmpty(DriverFixture fixture) {
    create(fixture, "later", "nowhere", "[]");

    assertThat(fixture.collection("later").find()).isEmpty();
    assertThat(fixture.collection("later").countDocuments()).isZero();
    assertThat(fixture.collection("later").distinct("a", Integer.class)).isEmpty();

    fixture.collection("nowhere").insertOne(new Document("_id", 1));
    assertThat(ids(fixture.collection("later").find())).containsExactly(1);
  }

  @Test
  void viewsAreListedWithTheirOptionsAndInSystemViews(DriverFixture fixture) {
    seed(fixture);
    fixture
        .database()
        .createView(
            "german",
            "src",
            List.of(),
            new CreateViewOptions().collation(Collation.builder().locale("de").build()));

    List<Document> listed =
        fixture
            .database()
            .listCollections()
            .filter(Filters.eq("type", "view"))
            .into(new ArrayList<>());

    assertThat(listed)
        .extracting(entry -> entry.getString("name"))
        .containsExactly("german", "ones", "slim");
    assertThat(listed.get(1))
        .isEqualTo(
            Document.parse(
                "{name: 'ones', type: 'view', options: {viewOn: 'src', pipeline: [{$match: {g:"
                    + " 1}}]}, info: {readOnly: true}}"));
    assertThat(listed.getFirst().get("options", Document.class).get("collation", Document.class))
        .containsEntry("locale", "de");
    assertThat(fixture.collection("system.views").find(Filters.eq("_id", "driver_tests.slim")))
        .containsExactly(
            Document.parse(
                "{_id: 'driver_tests.slim', viewOn: 'ones', pipeline: [{$project: {v: 1, g:"
                    + " 1}}]}"));
    assertThat(fixture.database().listCollectionNames())
        .contains("src", "ones", "slim", "system.views");
    assertThat(run(fixture, "{dbStats: 1}").get("views")).isEqualTo(3L);
  }

  @Test
  void collModReplacesTheHalvesOfADefinition(DriverFixture fixture) {
    seed(fixture);
    fixture.collection("other").insertOne(new Document("_id", 100).append("g", 2));

    run(fixture, "{collMod: 'ones', pipeline: [{$match: {g: 2}}]}");
    assertThat(inOrderOfIds(ids(fixture.collection("ones").find()))).containsExactly(2, 5, 8);
    run(fixture, "{collMod: 'ones', viewOn: 'other'}");
    assertThat(ids(fixture.collection("slim").find())).containsExactly(100);

    assertFails(
        fixture,
        "{collMod: 'src', viewOn: 'other', pipeline: []}",
        INVALID_OPTIONS,
        "option only supported on a view: viewOn");
    assertFails(
        fixture,
        "{collMod: 'ones', validator: {a: 1}}",
        INVALID_OPTIONS,
        "option not supported on a view: validator");
    assertFails(
        fixture,
        "{collMod: 'ones', viewOn: 'slim', pipeline: []}",
        GRAPH_CONTAINS_CYCLE,
        "View cycle detected: driver_tests.ones => driver_tests.ones => driver_tests.slim =>"
            + " driver_tests.ones");
    assertFails(fixture, "{collMod: 'ones', viewOn: ''}", BAD_VALUE, "'viewOn' cannot be empty");
    assertFails(
        fixture,
        "{collMod: 'ones', pipeline: [{$nope: 1}]}",
        40324,
        "Unrecognized pipeline stage name: '$nope'");
    assertThat(ids(fixture.collection("slim").find())).containsExactly(100);
  }

  @Test
  void createChecksTheDefinition(DriverFixture fixture) {
    seed(fixture);
    assertFails(
        fixture,
        "{create: 'bad', pipeline: []}",
        INVALID_OPTIONS,
        "'pipeline' requires 'viewOn' to also be specified");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: 'src', pipeline: {$match: {}}}",
        TYPE_MISMATCH,
        "BSON field 'create.pipeline' is the wrong type 'object', expected type 'array'");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: 5, pipeline: []}",
        TYPE_MISMATCH,
        "BSON field 'create.viewOn' is the wrong type 'int', expected type 'string'");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: '', pipeline: []}",
        BAD_VALUE,
        "'viewOn' cannot be empty");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: 'bad', pipeline: []}",
        GRAPH_CONTAINS_CYCLE,
        "View cycle detected: driver_tests.bad => driver_tests.bad => driver_tests.bad");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: 'src', pipeline: [{$nope: 1}]}",
        40324,
        "Unrecognized pipeline stage name: '$nope'");
    assertFails(
        fixture,
        "{create: 'bad', viewOn: 'src', capped: true, size: 4096}",
        INVALID_OPTIONS,
        "option not supported on a view: capped");
    assertFails(
        fixture,
        "{create: 'system.views', viewOn: 'src'}",
        INVALID_NAMESPACE,
        "Cannot create a view called 'system.views': this is a reserved system namespace");
    assertFails(
        fixture,
        "{create: 'src', viewOn: 'other'}",
        NAMESPACE_EXISTS,
        "namespace driver_tests.src already exists, but with different options: {}");
    assertFails(
        fixture,
        "{create: 'ones', viewOn: 'other'}",
        NAMESPACE_EXISTS,
        "namespace driver_tests.ones already exists, but is a view on driver_tests.src rather than"
            + " driver_tests.other");
    assertFails(
        fixture,
        "{create: 'ones'}",
        NAMESPACE_EXISTS,
        "namespace driver_tests.ones already exists, but is a view");
    assertThat(fixture.database().listCollectionNames()).doesNotContain("bad");
    // The same once more is no error.
    create(fixture, "ones", "src", "[{$match: {g: 1}}]");
  }

  @Test
  void viewsMayStandTwentyDeep(DriverFixture fixture) {
    fixture.collection("base").insertOne(new Document("_id", 0));
    for (int i = 1; i <= 20; i++) {
      create(
          fixture,
          "v" + i,
          i == 1 ? "base" : "v" + (i - 1),
          "[{$set: {depth: " + i + ", _id: {$add: ['$_id', 1]}}}]");
    }
    assertThat(fixture.collection("v20").find())
        .containsExactly(new Document("_id", 20).append("depth", 20));

    assertFails(
        fixture,
        "{create: 'v21', viewOn: 'v20'}",
        VIEW_DEPTH_LIMIT_EXCEEDED,
        "View depth limit exceeded; maximum depth is 20");
    // Nor may the lowest stand on the highest.
    assertFails(
        fixture,
        "{collMod: 'v1', viewOn: 'v20', pipeline: []}",
        GRAPH_CONTAINS_CYCLE,
        cycleOfTwenty());
  }

  private static String cycleOfTwenty() {
    var text = new StringBuilder("View cycle detected: driver_tests.v1 => driver_tests.v1");
    for (int i = 20; i >= 1; i--) {
      text.append(" => driver_tests.v").append(i);
    }
    return text.toString();
  }

  @Test
  void theCollationIsThatOfTheView(DriverFixture fixture) {
    Collation strengthTwo =
        Collation.builder().locale("en").collationStrength(CollationStrength.SECONDARY).build();
    fixture
        .collection("words")
        .insertMany(
            List.of(
                new Document("_id", 1).append("w", "a"), new Document("_id", 2).append("w", "A")));
    create(fixture, "plain", "words", "[]");
    fixture
        .database()
        .createView("folded", "words", List.of(), new CreateViewOptions().collation(strengthTwo));

    assertThat(ids(fixture.collection("plain").find(Filters.eq("w", "a")))).containsExactly(1);
    var folded = fixture.collection("folded");
    assertThat(inOrderOfIds(ids(folded.find(Filters.eq("w", "a"))))).containsExactly(1, 2);
    assertThat(folded.distinct("w", String.class).first()).isEqualToIgnoringCase("a");
    assertThat(folded.distinct("w", String.class)).hasSize(1);
    assertThat(inOrderOfIds(ids(folded.find(Filters.eq("w", "a")).collation(strengthTwo))))
        .containsExactly(1, 2);
    for (String command :
        List.of(
            "{find: 'folded', collation: {locale: 'fr'}}",
            "{find: 'plain', collation: {locale: 'fr'}}",
            "{count: 'plain', collation: {locale: 'fr'}}",
            "{distinct: 'plain', key: 'w', collation: {locale: 'fr'}}",
            "{aggregate: 'plain', pipeline: [], cursor: {}, collation: {locale: 'fr'}}")) {
      assertFails(
          fixture,
          command,
          OPTION_NOT_SUPPORTED_ON_VIEW,
          "Cannot override a view's default collation");
    }
    // Also where there is nothing to read.
    for (String source : List.of("words", "nothing")) {
      for (String stage :
          List.of(
              "{$lookup: {from: 'folded', localField: 'w', foreignField: 'w', as: 'x'}}",
              "{$lookup: {from: 'folded', pipeline: [], as: 'x'}}",
              "{$graphLookup: {from: 'folded', startWith: '$w', connectFromField: 'w',"
                  + " connectToField: 'w', as: 'x'}}",
              "{$unionWith: 'folded'}")) {
        assertFails(
            fixture,
            "{aggregate: '" + source + "', pipeline: [" + stage + "], cursor: {}}",
            OPTION_NOT_SUPPORTED_ON_VIEW,
            "Cannot override a view's default collation");
      }
    }
    run(
        fixture,
        "{aggregate: 'words', pipeline: [{$unionWith: 'folded'}], cursor: {}, collation: {locale:"
            + " 'en', strength: 2}}");
    assertFails(
        fixture,
        "{create: 'mixed', viewOn: 'folded'}",
        OPTION_NOT_SUPPORTED_ON_VIEW,
        "View driver_tests.mixed has a collation that does not match the collation of view"
            + " driver_tests.folded");
  }

  @Test
  void explainShowsThePipelineOverTheCollection(DriverFixture fixture) {
    seed(fixture);
    fixture.collection("src").createIndex(new Document("g", 1));

    Document explained = run(fixture, "{explain: {find: 'slim'}, verbosity: 'executionStats'}");

    assertThat(explained.toJson())
        .contains("\"namespace\": \"driver_tests.src\"", "IXSCAN", "\"g_1\"");
    assertThat(run(fixture, "{explain: {count: 'slim'}}").toJson()).contains("driver_tests.src");
    assertThat(run(fixture, "{explain: {aggregate: 'ones', pipeline: [], cursor: {}}}").toJson())
        .contains("driver_tests.src");
  }

  @Test
  void droppedViewsAreGone(DriverFixture fixture) {
    seed(fixture);

    Document dropped = run(fixture, "{drop: 'slim'}");

    assertThat(dropped).doesNotContainKey("nIndexesWas");
    assertThat(dropped.getString("ns")).isEqualTo("driver_tests.slim");
    assertThat(fixture.database().listCollectionNames())
        .containsExactlyInAnyOrder("src", "system.views", "ones");
    assertThat(fixture.collection("slim").find()).isEmpty();
    // A collection may have the name now.
    fixture.collection("slim").insertOne(new Document("_id", 1));
    assertThat(fixture.collection("slim").find()).hasSize(1);

    fixture.collection("system.views").drop();
    assertThat(fixture.database().listCollectionNames()).containsExactlyInAnyOrder("src", "slim");
  }
}
