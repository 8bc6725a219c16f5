package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.types.Code;
import org.bson.types.CodeWithScope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code mapReduce}: its functions, its outputs and its errors. */
@ExtendWith(DriverFixture.Extension.class)
class MapReduceTest {
  private static final String MAP = "function () { emit(this.cust, this.amount); }";
  private static final String SUM = "function (key, values) { return Array.sum(values); }";

  @BeforeEach
  void seed(DriverFixture fixture) {
    fixture
        .collection("orders")
        .insertMany(
            List.of(
                Document.parse("{_id: 1, cust: 'A', amount: 500, status: 'a'}"),
                Document.parse("{_id: 2, cust: 'A', amount: 250, status: 'a'}"),
                Document.parse("{_id: 3, cust: 'B', amount: 200, status: 'a'}"),
                Document.parse("{_id: 4, cust: 'A', amount: 300, status: 'd'}")));
  }

  private static Document command(String map, String reduce) {
    return new Document("mapReduce", "orders")
        .append("map", new Code(map))
        .append("reduce", new Code(reduce))
        .append("out", new Document("inline", 1));
  }

  private static List<Document> inline(DriverFixture fixture, Document command) {
    List<Document> results =
        new ArrayList<>(fixture.database().runCommand(command).getList("results", Document.class));
    results.sort((a, b) -> a.get("_id").toString().compareTo(b.get("_id").toString()));
    return results;
  }

  private static List<Document> collection(DriverFixture fixture, String name) {
    return fixture.collection(name).find().sort(Sorts.ascending("_id")).into(new ArrayList<>());
  }

  /** Statements, variables that are declared nowhere, fields of {@code this}, and comments. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          emit(this.cust, this.amount)                             | function (k, v) { return Array.sum(v); }
          emit(this.cust, 0); emit(this.cust, this.amount);        | function (k, v) { total = 0; v.forEach(function (x) { total += x; }); return total; }
          function () { key = this.cust; emit(key, this.amount); } | function (k, v) { this.sum = 0; for (i in v) { this.sum += v[i]; } return this.sum; }
          (() => emit(this.cust, this.amount))()                   | (k, v) => Array.sum(v)
          """)
  void sloppyFunctions(String map, String reduce, DriverFixture fixture) {
    assertThat(inline(fixture, command(map, reduce)))
        .containsExactly(result("A", 1050.0), result("B", 200.0));
  }

  @Test
  void storedFunctions(DriverFixture fixture) {
    fixture
        .collection("system.js")
        .insertOne(
            new Document("_id", "half")
                .append("value", new Code("function (x) { return x / 2; }")));
    assertThat(inline(fixture, command("function () { emit(this.cust, half(this.amount)); }", SUM)))
        .containsExactly(result("A", 525.0), result("B", 100.0));
    assertThat(fixture.collection("orders").find(Filters.where("half(this.amount) < 130")))
        .hasSize(2);
    var call =
        new Document("body", "function (x) { return half(x); }")
            .append("args", List.of("$amount"))
            .append("lang", "js");
    var project = new Document("$project", new Document("h", new Document("$function", call)));
    assertThat(fixture.collection("orders").aggregate(List.of(project)).first().get("h"))
        .isEqualTo(250.0);
  }

  private static Document result(Object id, Object value) {
    return new Document("_id", id).append("value", value);
  }

  @Test
  void groupsByWhatIsEmitted(DriverFixture fixture) {
    assertThat(inline(fixture, command(MAP, SUM)))
        .containsExactly(result("A", 1050.0), result("B", 200.0));
    // As text, with something behind the function.
    Document text = command(MAP, SUM).append("map", MAP + " ;\n").append("reduce", SUM + ";");
    assertThat(inline(fixture, text)).hasSize(2);
    Document reply = fixture.database().runCommand(command(MAP, SUM));
    // Members of a set and routers tell the cluster's time.
    reply.remove("operationTime");
    reply.remove("$clusterTime");
    assertThat(reply).containsOnlyKeys("results", "ok");
  }

  @Test
  void takesWhatAFindTakes(DriverFixture fixture) {
    Document some =
        command(MAP, SUM)
            .append("query", new Document("status", "a"))
            .append("sort", new Document("amount", 1))
            .append("limit", 2)
            .append("jsMode", true)
            .append("verbose", true);
    assertThat(inline(fixture, some)).containsExactly(result("A", 250.0), result("B", 200.0));
  }

  @Test
  void finishesAndKnowsItsScope(DriverFixture fixture) {
    Document all =
        command(
                "function () { emit(prefix + this.cust, {count: 1, sum: this.amount}); }",
                "function (key, values) { var all = {count: 0, sum: 0}; values.forEach(function (v)"
                    + " { all.count += v.count; all.sum += v.sum; }); return all; }")
            .append(
                "finalize",
                new Code(
                    "function (key, value) { value.avg = value.sum / value.count * factor;"
                        + " return value; }"))
            .append("scope", new Document("prefix", "c").append("factor", 2));
    List<Document> results = inline(fixture, all);
    assertThat(results).extracting(each -> each.get("_id")).containsExactly("cA", "cB");
    Document ofA = results.getFirst().get("value", Document.class);
    assertThat(((Number) ofA.get("avg")).doubleValue()).isEqualTo(700);
    assertThat(((Number) ofA.get("count")).intValue()).isEqualTo(3);
  }

  @Test
  void emitsAnyNumberOfTimesAndReducesManyValues(DriverFixture fixture) {
    fixture
        .collection("many")
        .insertMany(IntStream.range(0, 3000).mapToObj(i -> new Document("_id", i)).toList());
    Document all =
        new Document("mapReduce", "many")
            .append(
                "map", "function () { if (this._id % 2) { return; } emit('x', 1); emit('y', 2); }")
            .append("reduce", SUM)
            .append("out", new Document("inline", 1));
    assertThat(inline(fixture, all)).containsExactly(result("x", 1500.0), result("y", 3000.0));
  }

  @Test
  void replacesMergesAndReducesIntoCollections(DriverFixture fixture) {
    fixture.collection("totals").insertMany(List.of(result("A", 1), result("Z", 9)));

    Document reduced =
        fixture
            .database()
            .runCommand(command(MAP, SUM).append("out", new Document("reduce", "totals")));
    assertThat(reduced.get("result")).isEqualTo("totals");
    assertThat(collection(fixture, "totals"))
        .containsExactly(result("A", 1051.0), result("B", 200.0), result("Z", 9));

    fixture.database().runCommand(command(MAP, SUM).append("out", new Document("merge", "totals")));
    assertThat(collection(fixture, "totals"))
        .containsExactly(result("A", 1050.0), result("B", 200.0), result("Z", 9));

    Document replaced =
        fixture
            .database()
            .runCommand(
                command(MAP, SUM)
                    .append("out", new Document("replace", "totals").append("db", "driver_tests")));
    assertThat(replaced.get("result"))
        .isEqualTo(new Document("db", "driver_tests").append("collection", "totals"));
    assertThat(collection(fixture, "totals"))
        .containsExactly(result("A", 1050.0), result("B", 200.0));

    fixture.database().runCommand(command(MAP, SUM).append("out", "byName"));
    assertThat(collection(fixture, "byName")).hasSize(2);
  }

  @Test
  @SuppressWarnings("deprecation") // the driver's own method is deprecated with the command
  void theDriverKnowsIt(DriverFixture fixture) {
    assertThat(fixture.collection("orders").mapReduce(MAP, SUM).into(new ArrayList<>()))
        .containsExactlyInAnyOrder(result("A", 1050.0), result("B", 200.0));
  }

  @Test
  void isExplainedAsAPipeline(DriverFixture fixture) {
    Document explained =
        fixture
            .database()
            .runCommand(
                new Document("explain", command(MAP, SUM)).append("verbosity", "queryPlanner"));
    assertThat(explained.toJson()).contains("$group", "$_internalJsReduce");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {mapReduce: 'orders', reduce: 'x', out: {inline: 1}} | 40414 | BSON field 'mapReduce.map' is missing but a required field
          {mapReduce: 'orders', map: 'x', out: {inline: 1}} | 40414 | BSON field 'mapReduce.reduce' is missing but a required field
          {mapReduce: 'orders', map: 'x', reduce: 'x'} | 40414 | BSON field 'mapReduce.out' is missing but a required field
          {mapReduce: 'orders', map: 1, reduce: 'x', out: {inline: 1}} | 2 | 'map' must be of string or code type
          {mapReduce: 'orders', map: 'x', reduce: 'x', out: 1} | 2 | 'out' must be either a string or an object
          {mapReduce: 'orders', map: 'x', reduce: 'x', out: {}} | 2 | 'out' requires 'replace', 'merge', 'reduce' or 'inline'
          {mapReduce: 'orders', map: 'x', reduce: 'x', out: {inline: 2}} | 2 | 'inline' takes only numeric '1'
          {mapReduce: 'orders', map: 'x', reduce: 'x', out: {merge: 'o', nonAtomic: false}} | 2 | nonAtomic field value must be true
          {mapReduce: 'orders', map: 'x', reduce: 'x', out: {inline: 1}, other: 1} | 40415 | BSON field 'mapReduce.other' is an unknown field.
          {mapReduce: 'view', map: 'x', reduce: 'x', out: {inline: 1}} | 166 | mapReduce on a view is not yet supported
          """)
  void refuses(String command, int code, String message, DriverFixture fixture) {
    fixture.database().createView("view", "orders", List.of());
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> fixture.database().runCommand(Document.parse(command)));
    assertThat(e).isNotNull();
    assertThat(e.getErrorMessage()).isEqualTo(message);
    assertThat(e.getErrorCode()).isEqualTo(code);
  }

  @Test
  void errorsOfFunctionsAreErrorsOfTheCommand(DriverFixture fixture) {
    for (Document bad :
        List.of(
            command("function () { throw new Error('of the map'); }", SUM),
            command("function () { emit(1); }", SUM),
            command(MAP, "function (k, vs) { return nowhere; }"),
            command("function () { syntax", SUM))) {
      assertThat(
              catchThrowableOfType(
                      MongoCommandException.class, () -> fixture.database().runCommand(bad))
                  .getErrorCode())
          .isEqualTo(139);
    }
    Document scoped = command(MAP, SUM).append("map", new CodeWithScope(MAP, new Document("a", 1)));
    assertThat(
            catchThrowableOfType(
                    MongoCommandException.class, () -> fixture.database().runCommand(scoped))
                .getErrorMessage())
        .isEqualTo("'map' must be of string or code type");
  }
}
