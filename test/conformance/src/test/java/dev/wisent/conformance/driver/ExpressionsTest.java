package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.expr;
import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.client.result.UpdateResult;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Aggregation expressions where clients use them: filters, projections, stages and updates. */
@ExtendWith(DriverFixture.Extension.class)
class ExpressionsTest {
  private static Document json(String text) {
    return Document.parse(text);
  }

  private static List<Document> stages(String... stages) {
    return List.of(stages).stream().map(Document::parse).toList();
  }

  private static MongoCollection<Document> budgets(DriverFixture fixture) {
    MongoCollection<Document> budgets = fixture.collection("budgets");
    budgets.insertMany(
        List.of(
            json("{_id: 1, kind: 'food', budget: 400, spent: 450}"),
            json("{_id: 2, kind: 'drinks', budget: 100, spent: 150}"),
            json("{_id: 3, kind: 'clothes', budget: 100, spent: 50}"),
            json("{_id: 4, kind: 'misc', budget: 500, spent: 300, tags: ['a', 'b']}")));
    return budgets;
  }

  private static List<Object> ids(Iterable<Document> documents) {
    var ids = new ArrayList<>();
    documents.forEach(document -> ids.add(document.get("_id")));
    return ids;
  }

  @Test
  void filtersCompareFields(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    Document over = json("{$gt: ['$spent', '$budget']}");
    assertThat(inOrderOfIds(ids(budgets.find(expr(over))))).containsExactly(1, 2);
    assertThat(budgets.countDocuments(expr(over))).isEqualTo(2);
    var match = new Document("$match", expr(over).toBsonDocument());
    assertThat(inOrderOfIds(ids(budgets.aggregate(List.of(match))))).containsExactly(1, 2);
    assertThat(budgets.updateMany(expr(over), json("{$set: {over: true}}")).getModifiedCount())
        .isEqualTo(2);
    assertThat(budgets.deleteMany(expr(over)).getDeletedCount()).isEqualTo(2);
  }

  @Test
  void variablesOfTheCommand(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    assertThat(
            inOrderOfIds(
                ids(
                    budgets
                        .find(expr(json("{$gt: ['$spent', '$$limit']}")))
                        .let(json("{limit: {$add: [100, 150]}}")))))
        .containsExactly(1, 4);
    MongoCommandException error =
        catchThrowableOfType(
            MongoCommandException.class,
            () -> budgets.find(expr(json("{$gt: ['$spent', '$$none']}"))).first());
    assertThat(error.getErrorCode()).isEqualTo(17276);
    assertThat(error.getErrorMessage()).isEqualTo("Use of undefined variable: none");
  }

  @Test
  void indexesServeComparisonsWithConstants(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    budgets.createIndex(Indexes.ascending("spent"));
    Document filter = json("{$expr: {$and: [{$gte: ['$spent', 150]}, {$lt: ['$spent', 450]}]}}");
    assertThat(inOrderOfIds(ids(budgets.find(filter)))).containsExactly(2, 4);
    String plan = budgets.find(filter).explain().toJson();
    assertThat(plan).contains("IXSCAN").contains("[150, 450)");
    Document strings = json("{$expr: {$gt: ['$kind', 'm']}}");
    assertThat(ids(budgets.find(strings))).containsExactly(4);
  }

  @Test
  void indexesServeComparisonsWithTheTime(DriverFixture fixture) {
    MongoCollection<Document> leases = fixture.collection("leases");
    leases.createIndex(Indexes.ascending("until"));
    leases.insertMany(
        List.of(
            json("{_id: 1, until: {$date: '2001-01-01T00:00:00Z'}}"),
            json("{_id: 2, until: {$date: '9001-01-01T00:00:00Z'}}")));
    Document over = json("{$expr: {$lt: ['$until', {$subtract: ['$$NOW', 1000]}]}}");
    assertThat(ids(leases.find(over))).containsExactly(1);
    assertThat(leases.find(over).explain().toJson()).contains("IXSCAN");
  }

  @Test
  void projectionsCompute(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    assertThat(
            budgets
                .find(eq(1))
                .projection(json("{kind: 1, left: {$subtract: ['$budget', '$spent']}, note: 'x'}"))
                .first())
        .isEqualTo(json("{_id: 1, kind: 'food', left: -50, note: 'x'}"));
    assertThat(
            budgets.findOneAndUpdate(
                eq(1),
                json("{$inc: {spent: 1}}"),
                new FindOneAndUpdateOptions()
                    .returnDocument(ReturnDocument.AFTER)
                    .projection(json("{_id: 0, s: {$multiply: ['$spent', 2]}}"))))
        .isEqualTo(json("{s: 902}"));
  }

  @Test
  void stagesCompute(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    List<Document> result =
        budgets
            .aggregate(
                stages(
                    "{$match: {_id: {$lte: 2}}}",
                    "{$set: {ratio: {$divide: ['$spent', '$budget']}}}",
                    "{$unset: ['budget', 'spent']}",
                    "{$replaceWith: {$mergeObjects: [{list: [1]}, '$$ROOT']}}",
                    "{$project: {ratio: 1, size: {$size: '$list'}}}",
                    "{$sort: {_id: 1}}"))
            .into(new ArrayList<>());
    assertThat(result)
        .containsExactly(
            json("{_id: 1, ratio: 1.125, size: 1}"), json("{_id: 2, ratio: 1.5, size: 1}"));
    MongoCommandException error =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                budgets.aggregate(stages("{$match: {_id: 1}}", "{$replaceWith: '$kind'}")).first());
    assertThat(error.getErrorCode()).isEqualTo(40228);
    assertThat(error.getErrorMessage())
        .startsWith(
            "PlanExecutor error during aggregation :: caused by :: 'replacement document' must"
                + " evaluate to an object, but resulting value was: \"food\"");
  }

  @Test
  void updatesWithAPipeline(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    UpdateResult result =
        budgets.updateMany(json("{}"), stages("{$set: {over: {$gt: ['$spent', '$budget']}}}"));
    assertThat(result.getModifiedCount()).isEqualTo(4);
    assertThat(inOrderOfIds(ids(budgets.find(eq("over", true))))).containsExactly(1, 2);
    UpdateResult again =
        budgets.updateMany(json("{}"), stages("{$set: {over: {$gt: ['$spent', '$budget']}}}"));
    assertThat(again.getMatchedCount()).isEqualTo(4);
    assertThat(again.getModifiedCount()).isZero();
    UpdateResult upserted =
        budgets.updateOne(
            json("{_id: 9, kind: 'new'}"),
            stages("{$set: {label: {$ifNull: ['$kind', '?']}}}"),
            new UpdateOptions().upsert(true));
    assertThat(upserted.getUpsertedId().asInt32().getValue()).isEqualTo(9);
    assertThat(budgets.find(eq(9)).first()).isEqualTo(json("{_id: 9, kind: 'new', label: 'new'}"));
    assertThat(
            budgets.findOneAndUpdate(
                eq(3),
                stages("{$project: {kind: 1}}", "{$set: {n: '$$x'}}"),
                new FindOneAndUpdateOptions()
                    .returnDocument(ReturnDocument.AFTER)
                    .let(json("{x: 5}"))))
        .isEqualTo(json("{_id: 3, kind: 'clothes', n: 5}"));
  }

  @Test
  void bulkWritesWithAPipeline(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    var result =
        budgets.bulkWrite(
            List.of(
                new UpdateOneModel<>(eq(1), stages("{$set: {spent: '$budget'}}")),
                new UpdateManyModel<>(json("{}"), stages("{$unset: 'tags'}"))));
    assertThat(result.getModifiedCount()).isEqualTo(2);
    assertThat(budgets.find(eq(1)).first().get("spent")).isEqualTo(400);
  }

  @Test
  void constantsOfAnUpdate(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    fixture
        .database()
        .runCommand(
            json(
                "{update: 'budgets', updates: [{q: {_id: 1}, u: [{$set: {v: '$$c'}}], c: {c:"
                    + " '$kind'}}]}"));
    assertThat(budgets.find(eq(1)).first().get("v")).isEqualTo("$kind");
  }

  @Test
  void mistakesInUpdates(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    MongoWriteException id =
        catchThrowableOfType(
            MongoWriteException.class, () -> budgets.updateOne(eq(1), stages("{$set: {_id: 5}}")));
    assertThat(id.getCode()).isEqualTo(66);
    MongoWriteException stage =
        catchThrowableOfType(
            MongoWriteException.class, () -> budgets.updateOne(eq(1), stages("{$match: {}}")));
    assertThat(stage.getCode()).isEqualTo(72);
    assertThat(stage.getError().getMessage())
        .isEqualTo("$match is not allowed to be used within an update");
  }

  @Test
  void validatorsMayBeExpressions(DriverFixture fixture) {
    fixture
        .database()
        .createCollection(
            "checked",
            new CreateCollectionOptions()
                .validationOptions(
                    new ValidationOptions().validator(json("{$expr: {$lte: ['$low', '$high']}}"))));
    MongoCollection<Document> checked = fixture.collection("checked");
    checked.insertOne(json("{low: 1, high: 2}"));
    MongoWriteException refused =
        catchThrowableOfType(
            MongoWriteException.class, () -> checked.insertOne(json("{_id: 1, low: 3, high: 2}")));
    assertThat(refused.getCode()).isEqualTo(121);
    assertThat(refused.getError().getDetails().getDocument("details").toJson())
        .contains("\"operatorName\": \"$expr\"")
        .contains("\"expressionResult\": false");
  }

  @Test
  void functionsInJavaScript(DriverFixture fixture) {
    MongoCollection<Document> budgets = budgets(fixture);
    Document found =
        budgets
            .find(eq(1))
            .projection(
                json(
                    "{_id: 0, text: {$function: {body: 'function(kind, spent) { return kind + \":\""
                        + " + spent; }', args: ['$kind', '$spent'], lang: 'js'}}}"))
            .first();
    assertThat(found).isEqualTo(json("{text: 'food:450'}"));
  }
}
