package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.geoIntersects;
import static com.mongodb.client.model.Filters.geoWithin;
import static com.mongodb.client.model.Filters.geoWithinBox;
import static com.mongodb.client.model.Filters.geoWithinCenter;
import static com.mongodb.client.model.Filters.geoWithinCenterSphere;
import static com.mongodb.client.model.Filters.geoWithinPolygon;
import static com.mongodb.client.model.Filters.near;
import static com.mongodb.client.model.Filters.nearSphere;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.mongodb.ExplainVerbosity;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoQueryException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.GeoNearOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.geojson.Point;
import com.mongodb.client.model.geojson.Polygon;
import com.mongodb.client.model.geojson.Position;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Places through the driver's own builders: both kinds of index, and no index. */
@ExtendWith(DriverFixture.Extension.class)
class GeoQueryTest {
  private static final Point BERLIN = new Point(new Position(13.405, 52.52));
  private static final Polygon GERMANY =
      new Polygon(
          List.of(
              new Position(6, 47),
              new Position(15, 47),
              new Position(15, 55),
              new Position(6, 55),
              new Position(6, 47)));

  private static Document city(String name, double longitude, double latitude) {
    return new Document("_id", name)
        .append(
            "loc",
            new Document("type", "Point").append("coordinates", List.of(longitude, latitude)))
        .append("pair", List.of(longitude, latitude))
        .append("first", name.substring(0, 1));
  }

  private static MongoCollection<Document> cities(DriverFixture fixture) {
    MongoCollection<Document> cities = fixture.collection("cities");
    cities.insertMany(
        List.of(
            city("Hamburg", 9.993, 53.551),
            city("Berlin", 13.405, 52.52),
            city("Paris", 2.3522, 48.8566),
            city("Sydney", 151.2093, -33.8688),
            city("Bremen", 8.8017, 53.0793)));
    return cities;
  }

  private static List<String> ids(MongoCollection<Document> collection, Bson filter) {
    return collection
        .find(filter)
        .map(document -> document.getString("_id"))
        .into(new ArrayList<>());
  }

  private static Document winner(MongoCollection<Document> collection, Bson filter) {
    return Plans.winner(collection.find(filter).explain(ExplainVerbosity.EXECUTION_STATS));
  }

  @Test
  void nearestFirst(DriverFixture fixture) {
    MongoCollection<Document> cities = cities(fixture);
    cities.createIndex(Indexes.geo2dsphere("loc"));
    assertThat(ids(cities, near("loc", BERLIN, null, null)))
        .containsExactly("Berlin", "Hamburg", "Bremen", "Paris", "Sydney");
    assertThat(ids(cities, near("loc", BERLIN, 300_000.0, 100_000.0))).containsExactly("Hamburg");
    assertThat(ids(cities, nearSphere("loc", BERLIN, 400_000.0, null)))
        .containsExactly("Berlin", "Hamburg", "Bremen");
    assertThat(ids(cities, nearSphere("loc", 13.405, 52.52, 400.0 / 6378.1, null)))
        .containsExactly("Berlin", "Hamburg", "Bremen");
    assertThat(ids(cities, and(eq("first", "B"), near("loc", BERLIN, null, null))))
        .containsExactly("Berlin", "Bremen");
    assertThat(
            cities.find(near("loc", BERLIN, null, null)).skip(1).limit(2).into(new ArrayList<>()))
        .extracting("_id")
        .containsExactly("Hamburg", "Bremen");
    Document plan = winner(cities, near("loc", BERLIN, null, null));
    assertThat(plan.getString("stage")).isEqualTo("GEO_NEAR_2DSPHERE");
    assertThat(plan.getString("indexName")).isEqualTo("loc_2dsphere");
  }

  @Test
  void nearestFirstOnThePlane(DriverFixture fixture) {
    MongoCollection<Document> cities = cities(fixture);
    cities.createIndex(Indexes.geo2d("pair"));
    assertThat(ids(cities, near("pair", 13.405, 52.52, null, null)))
        .containsExactly("Berlin", "Hamburg", "Bremen", "Paris", "Sydney");
    assertThat(ids(cities, near("pair", 13.405, 52.52, 5.0, 1.0)))
        .containsExactly("Hamburg", "Bremen");
    assertThat(ids(cities, nearSphere("pair", 13.405, 52.52, 400.0 / 6378.1, null)))
        .containsExactly("Berlin", "Hamburg", "Bremen");
    assertThat(winner(cities, near("pair", 0, 0, null, null)).getString("stage"))
        .isEqualTo("GEO_NEAR_2D");
  }

  @Test
  void areasWithAndWithoutAnIndex(DriverFixture fixture) {
    MongoCollection<Document> cities = cities(fixture);
    List<Bson> areas =
        List.of(
            geoWithin("loc", GERMANY),
            geoIntersects("loc", GERMANY),
            geoWithinCenterSphere("loc", 13.405, 52.52, 500.0 / 6378.1),
            geoWithinBox("pair", 6, 47, 15, 55),
            geoWithinCenter("pair", 11, 52, 3.5),
            geoWithinPolygon(
                "pair",
                List.of(
                    List.of(6.0, 47.0),
                    List.of(15.0, 47.0),
                    List.of(15.0, 60.0),
                    List.of(6.0, 60.0))));
    for (Bson area : areas) {
      assertThat(ids(cities, area)).containsExactlyInAnyOrder("Hamburg", "Berlin", "Bremen");
      assertThat(winner(cities, area).getString("stage")).isEqualTo("COLLSCAN");
    }
    cities.createIndex(Indexes.geo2dsphere("loc"));
    cities.createIndex(Indexes.geo2d("pair"));
    for (Bson area : areas) {
      assertThat(ids(cities, area)).containsExactlyInAnyOrder("Hamburg", "Berlin", "Bremen");
      Document plan = winner(cities, area);
      assertThat(plan.getString("stage")).isEqualTo("FETCH");
      assertThat(plan).containsKey("filter");
      assertThat(plan.get("inputStage", Document.class).getString("stage")).isEqualTo("IXSCAN");
    }
  }

  @Test
  void writesKeepTheIndexRight(DriverFixture fixture) {
    MongoCollection<Document> cities = cities(fixture);
    cities.createIndex(Indexes.geo2dsphere("loc"));
    cities.createIndex(Indexes.geo2d("pair"));
    cities.updateOne(eq("Paris"), Updates.set("loc", BERLIN));
    cities.deleteOne(near("loc", new Point(new Position(9.9, 53.5)), null, null));
    cities.updateOne(near("pair", 151, -33, 10.0, null), Updates.set("hit", true));
    assertThat(ids(cities, geoWithin("loc", GERMANY)))
        .containsExactlyInAnyOrder("Berlin", "Bremen", "Paris");
    assertThat(ids(cities, eq("hit", true))).containsExactly("Sydney");
    Document report =
        fixture.database().runCommand(new Document("validate", "cities").append("full", true));
    assertThat(report.getBoolean("valid")).isTrue();
    assertThat(Plans.keys(report, "loc_2dsphere")).isEqualTo(4);
    assertThat(Plans.keys(report, "pair_2d")).isEqualTo(4);
  }

  @Test
  void stageWithDistances(DriverFixture fixture) {
    MongoCollection<Document> cities = cities(fixture);
    cities.createIndex(Indexes.geo2dsphere("loc"));
    List<Document> found =
        cities
            .aggregate(
                List.of(
                    Aggregates.geoNear(
                        BERLIN,
                        "at.distance",
                        GeoNearOptions.geoNearOptions()
                            .maxDistance(1_000_000.0)
                            .distanceMultiplier(0.001)
                            .includeLocs("at.loc")
                            .spherical()
                            .query(new Document("first", new Document("$ne", "P")))),
                    Aggregates.limit(2)))
            .into(new ArrayList<>());
    assertThat(found).extracting("_id").containsExactly("Berlin", "Hamburg");
    Document at = found.getLast().get("at", Document.class);
    assertThat(at.getDouble("distance")).isCloseTo(255.5, within(1.0));
    assertThat(at.get("loc")).isEqualTo(found.getLast().get("loc"));
  }

  @Test
  void cursorsGoOn(DriverFixture fixture) {
    MongoCollection<Document> points = fixture.collection("points");
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      documents.add(new Document("_id", i).append("loc", List.of(i * 0.01, (i % 7) * 0.001)));
    }
    points.insertMany(documents);
    points.createIndex(Indexes.geo2dsphere("loc"));
    List<Integer> ids =
        points
            .find(nearSphere("loc", 0, 0, null, null))
            .batchSize(100)
            .map(document -> document.getInteger("_id"))
            .into(new ArrayList<>());
    assertThat(ids).hasSize(3000).isSorted();
  }

  @Test
  void whatIsListed(DriverFixture fixture) {
    MongoCollection<Document> places = fixture.collection("places");
    places.createIndex(Indexes.geo2dsphere("a"));
    places.createIndex(Indexes.geo2d("b"), new IndexOptions().bits(20).min(-10.0).max(10.0));
    assertThat(places.listIndexes().into(new ArrayList<>()))
        .anySatisfy(index -> assertThat(index).containsEntry("2dsphereIndexVersion", 3))
        .anySatisfy(
            index ->
                assertThat(index)
                    .containsEntry("bits", 20)
                    .containsEntry("min", -10.0)
                    .containsEntry("max", 10.0));
  }

  @Test
  void refusals(DriverFixture fixture) {
    MongoCollection<Document> places = cities(fixture);
    assertThatThrownBy(() -> places.find(near("loc", BERLIN, null, null)).first())
        .isInstanceOfSatisfying(
            MongoQueryException.class,
            e -> {
              assertThat(e.getErrorCode()).isEqualTo(291);
              assertThat(e.getErrorMessage()).endsWith("unable to find index for $geoNear query");
            });
    assertThatThrownBy(() -> places.countDocuments(near("loc", BERLIN, null, null)))
        .isInstanceOfSatisfying(
            MongoCommandException.class, e -> assertThat(e.getErrorCode()).isEqualTo(5626500));
    places.createIndex(Indexes.geo2dsphere("loc"));
    assertThatThrownBy(
            () ->
                places.insertOne(
                    new Document("_id", 1)
                        .append(
                            "loc",
                            new Document("type", "Point").append("coordinates", List.of(200, 0)))))
        .isInstanceOfSatisfying(
            MongoWriteException.class,
            e -> {
              assertThat(e.getCode()).isEqualTo(16755);
              assertThat(e.getMessage())
                  .contains(
                      "Can't extract geo keys: { _id: 1, loc: { type: \"Point\", coordinates: ["
                          + " 200, 0 ] } }  Longitude/latitude is out of bounds, lng: 200 lat: 0");
            });
  }
}
