package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.MongoTimeUnit;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.WindowOutputFields;
import com.mongodb.client.model.Windows;
import com.mongodb.client.model.densify.DensifyOptions;
import com.mongodb.client.model.densify.DensifyRange;
import com.mongodb.client.model.fill.FillOptions;
import com.mongodb.client.model.fill.FillOutputField;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code $setWindowFields}, {@code $densify} and {@code $fill} through the driver's builders. */
@ExtendWith(DriverFixture.Extension.class)
class WindowsTest {
  private static MongoCollection<Document> sales(DriverFixture fixture) {
    MongoCollection<Document> sales = fixture.collection("sales");
    sales.insertMany(
        List.of(
            sale(1, "CA", "2024-01-01T00:00:00Z", 10),
            sale(2, "WA", "2024-01-01T00:00:00Z", 5),
            sale(3, "CA", "2024-01-02T00:00:00Z", 20),
            sale(4, "CA", "2024-01-04T00:00:00Z", 20),
            sale(5, "WA", "2024-01-05T00:00:00Z", 7)));
    return sales;
  }

  private static Document sale(int id, String state, String date, int quantity) {
    return new Document("_id", id)
        .append("state", state)
        .append("date", Date.from(Instant.parse(date)))
        .append("quantity", quantity);
  }

  private static List<Object> values(
      MongoCollection<Document> collection, String field, Bson... stages) {
    var values = new ArrayList<>();
    for (Document document : collection.aggregate(List.of(stages))) {
      values.add(document.get(field));
    }
    return values;
  }

  @Test
  void runningTotal(DriverFixture fixture) {
    MongoCollection<Document> sales = sales(fixture);
    Bson totals =
        Aggregates.setWindowFields(
            "$state",
            Sorts.ascending("date"),
            WindowOutputFields.sum(
                "total",
                "$quantity",
                Windows.documents(Windows.Bound.UNBOUNDED, Windows.Bound.CURRENT)));
    assertThat(values(sales, "total", totals)).containsExactly(10, 30, 50, 5, 12);
    sales.createIndex(Indexes.ascending("state", "date"));
    assertThat(values(sales, "total", totals)).containsExactly(10, 30, 50, 5, 12);
  }

  @Test
  void movingAverageOfDays(DriverFixture fixture) {
    Bson averages =
        Aggregates.setWindowFields(
            "$state",
            Sorts.ascending("date"),
            WindowOutputFields.avg(
                "average", "$quantity", Windows.timeRange(-2, 0, MongoTimeUnit.DAY)));
    assertThat(values(sales(fixture), "average", averages))
        .containsExactly(10.0, 15.0, 20.0, 5.0, 7.0);
  }

  @Test
  void ranks(DriverFixture fixture) {
    MongoCollection<Document> sales = sales(fixture);
    Bson ranks =
        Aggregates.setWindowFields(
            null,
            Sorts.descending("quantity"),
            WindowOutputFields.rank("rank"),
            WindowOutputFields.denseRank("dense"),
            WindowOutputFields.documentNumber("number"),
            WindowOutputFields.shift("before", "$quantity", "none", -1));
    assertThat(values(sales, "rank", ranks)).containsExactly(1, 1, 3, 4, 5);
    assertThat(values(sales, "dense", ranks)).containsExactly(1, 1, 2, 3, 4);
    assertThat(values(sales, "number", ranks)).containsExactly(1, 2, 3, 4, 5);
    assertThat(values(sales, "before", ranks)).containsExactly("none", 20, 20, 10, 7);
  }

  @Test
  void gapsOfASeriesAreFilled(DriverFixture fixture) {
    MongoCollection<Document> sales = sales(fixture);
    Bson days =
        Aggregates.densify(
            "date",
            DensifyRange.partitionRangeWithStep(1, MongoTimeUnit.DAY),
            DensifyOptions.densifyOptions().partitionByFields("state"));
    Bson filled =
        Aggregates.fill(
            FillOptions.fillOptions().partitionByFields("state").sortBy(Sorts.ascending("date")),
            FillOutputField.linear("quantity"));
    assertThat(values(sales, "quantity", days, filled))
        .containsExactly(10, 20, 20.0, 20, 5, 5.5, 6.0, 6.5, 7);
    Bson carried =
        Aggregates.fill(
            FillOptions.fillOptions().partitionByFields("state").sortBy(Sorts.ascending("date")),
            FillOutputField.locf("quantity"),
            FillOutputField.value("_id", "new"));
    assertThat(values(sales, "quantity", days, carried))
        .containsExactly(10, 20, 20, 20, 5, 5, 5, 5, 7);
    assertThat(values(sales, "_id", days, carried))
        .containsExactly(1, 3, "new", 4, 2, "new", "new", "new", 5);
  }

  @Test
  void batchesGoOnWhereTheyWere(DriverFixture fixture) {
    MongoCollection<Document> numbers = fixture.collection("numbers");
    numbers.insertMany(IntStream.range(0, 500).mapToObj(i -> new Document("_id", i)).toList());
    var stages =
        List.of(
            Document.parse(
                "{$setWindowFields: {sortBy: {_id: 1}, output: {n: {$sum: '$_id', window:"
                    + " {documents: [-1, 1]}}}}}"));
    int id = 0;
    for (Document document : numbers.aggregate(stages).batchSize(7)) {
      int expected = id == 0 ? 1 : id == 499 ? 997 : 3 * id;
      assertThat(document).isEqualTo(new Document("_id", id++).append("n", expected));
    }
    assertThat(id).isEqualTo(500);
  }

  @Test
  void errorsAreThoseOfMongoDb(DriverFixture fixture) {
    MongoCollection<Document> sales = sales(fixture);
    assertThat(codeOf(sales, "{$setWindowFields: {output: {n: {$rank: {}}}}}")).isEqualTo(5371602);
    assertThat(codeOf(sales, "{$densify: {field: 'x', range: {step: 0, bounds: 'full'}}}"))
        .isEqualTo(5733401);
    assertThat(codeOf(sales, "{$fill: {output: {}}}")).isEqualTo(6050203);
    assertThat(
            codeOf(
                sales,
                "{$setWindowFields: {sortBy: {state: 1}, output: {n: {$sum: 1, window: {range:"
                    + " [0, 1]}}}}}"))
        .isEqualTo(5429414);
  }

  private static int codeOf(MongoCollection<Document> collection, String stage) {
    return catchThrowableOfType(
            MongoCommandException.class,
            () -> collection.aggregate(List.of(Document.parse(stage))).first())
        .getErrorCode();
  }
}
