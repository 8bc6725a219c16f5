package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Filters.where;
import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Code;
import org.bson.types.CodeWithScope;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** $where through a driver. */
@ExtendWith(DriverFixture.Extension.class)
class WhereTest {
  private static final int JS_INTERPRETER_FAILURE = 139;

  private static MongoCollection<Document> numbers(DriverFixture fixture) {
    MongoCollection<Document> numbers = fixture.collection("numbers");
    numbers.insertMany(
        IntStream.range(0, 300)
            .mapToObj(i -> new Document("_id", i).append("a", i).append("b", i % 7))
            .toList());
    return numbers;
  }

  private static List<Object> ids(Iterable<Document> documents) {
    var ids = new ArrayList<>();
    documents.forEach(document -> ids.add(document.get("_id")));
    return ids;
  }

  @Test
  void twoFieldsAreCompared(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    assertThat(inOrderOfIds(ids(numbers.find(where("this.a == this.b")))))
        .containsExactly(0, 1, 2, 3, 4, 5, 6);
    Bson both = and(gt("a", 3), where("function () { return obj.a == obj.b; }"));
    assertThat(inOrderOfIds(ids(numbers.find(both)))).containsExactly(4, 5, 6);
    assertThat(
            ids(
                numbers.find(
                    new Document("$where", new Code("function () { return this.a < 1 }")))))
        .containsExactly(0);
    assertThat(inOrderOfIds(ids(numbers.find(or(eq("a", 9), where("this.a == 8"))))))
        .containsExactly(8, 9);
    assertThat(numbers.countDocuments(new Document("_id", 1))).isEqualTo(1);
  }

  @Test
  void itServesEveryCommandWithAFilter(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    Document even = new Document("$where", "this.a % 2 == 0");
    assertThat(
            fixture
                .database()
                .runCommand(new Document("count", "numbers").append("query", even))
                .getInteger("n"))
        .isEqualTo(150);
    assertThat(numbers.distinct("b", where("this.a < 3"), Integer.class))
        .containsExactlyInAnyOrder(0, 1, 2);
    assertThat(numbers.updateMany(even, Updates.set("even", true)).getModifiedCount())
        .isEqualTo(150);
    assertThat(
            numbers.findOneAndDelete(where("this.even && this.a > 100 && this.a < 104")).get("a"))
        .isEqualTo(102);
    assertThat(numbers.deleteMany(even).getDeletedCount()).isEqualTo(149);
  }

  @Test
  void aCursorGoesOnInLaterBatches(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    assertThat(ids(numbers.find(where("this.a % 3 == 0")).batchSize(7))).hasSize(100);
    assertThat(
            ids(numbers.find(where("this.a % 3 == 0")).maxTime(60, TimeUnit.SECONDS).batchSize(7)))
        .hasSize(100);
  }

  @Test
  void anErrorInTheFunctionIsAnErrorOfTheQuery(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    MongoException e =
        catchThrowableOfType(
            MongoException.class, () -> numbers.find(where("nosuch.thing")).first());
    assertThat(e.getCode()).isEqualTo(JS_INTERPRETER_FAILURE);
    assertThat(e.getMessage()).contains("ReferenceError: nosuch is not defined");
    e =
        catchThrowableOfType(
            MongoException.class, () -> numbers.find(where("function ( {")).first());
    assertThat(e.getCode()).isEqualTo(JS_INTERPRETER_FAILURE);
  }

  @Test
  void placesWhereItMayNotStand(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> numbers.aggregate(List.of(new Document("$match", where("true")))).first());
    assertThat(e.getErrorCode()).isEqualTo(2);
    assertThat(e.getErrorMessage()).isEqualTo("$where is not allowed in this context");
    MongoException scope =
        catchThrowableOfType(
            MongoException.class,
            () ->
                numbers
                    .find(new Document("$where", new CodeWithScope("x", new Document("x", true))))
                    .first());
    assertThat(scope.getCode()).isEqualTo(4649201);
    e =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                fixture
                    .database()
                    .runCommand(
                        Document.parse("{create: 'v', validator: {$where: 'this.a == 1'}}")));
    assertThat(e.getErrorMessage()).isEqualTo("$where is not allowed in this context");
  }

  @Test
  void anEndlessFunctionEndsWithItsTime(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    MongoExecutionTimeoutException e =
        catchThrowableOfType(
            MongoExecutionTimeoutException.class,
            () ->
                numbers.find(where("while (true) {}")).maxTime(100, TimeUnit.MILLISECONDS).first());
    assertThat(e.getCode()).isEqualTo(50);
    assertThat(ids(numbers.find(where("this.a == 1")))).containsExactly(1);
  }

  @Test
  void anEndlessFunctionCanBeKilled(DriverFixture fixture) throws Exception {
    numbers(fixture);
    try (var other = MongoClients.create(fixture.uri())) {
      CompletableFuture<Document> endless =
          CompletableFuture.supplyAsync(
              () ->
                  other
                      .getDatabase(fixture.database().getName())
                      .getCollection("numbers")
                      .find(where("while (true) {}"))
                      .comment("endless")
                      .first());
      var admin = fixture.client().getDatabase("admin");
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!endless.isDone() && System.nanoTime() < deadline) {
        Document running =
            admin.runCommand(Document.parse("{currentOp: 1, 'command.comment': 'endless'}"));
        for (Document operation : running.getList("inprog", Document.class)) {
          admin.runCommand(new Document("killOp", 1).append("op", operation.get("opid")));
        }
      }
      ExecutionException e = catchThrowableOfType(ExecutionException.class, endless::get);
      assertThat(e).hasCauseInstanceOf(MongoException.class);
      assertThat(((MongoException) e.getCause()).getCode()).isEqualTo(11601);
    }
  }

  @Test
  void aGreedyFunctionDoesNotEndTheServer(DriverFixture fixture) {
    MongoCollection<Document> numbers = numbers(fixture);
    MongoException e =
        catchThrowableOfType(
            MongoException.class,
            () ->
                numbers
                    .find(where("var all = []; while (true) all.push([all.length]);"))
                    .maxTime(60, TimeUnit.SECONDS)
                    .first());
    assertThat(e.getCode()).isIn(JS_INTERPRETER_FAILURE, 50);
    assertThat(ids(numbers.find(where("this.a == 1")))).containsExactly(1);
  }
}
