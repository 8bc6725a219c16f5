package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.jsonSchema;
import static dev.wisent.conformance.driver.DriverFixture.inOrderOfIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.ClientBulkWriteException;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.client.model.bulk.ClientNamespacedWriteModel;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Validators as a client meets them: what is refused, and what the error says. */
@ExtendWith(DriverFixture.Extension.class)
class ValidatorTest {
  private static final int DOCUMENT_VALIDATION_FAILURE = 121;
  private static final Document SCHEMA =
      Document.parse(
          "{$jsonSchema: {title: 'Student', bsonType: 'object', required: ['name'], properties:"
              + " {name: {bsonType: 'string', description: 'a name'}, year: {bsonType: 'int',"
              + " minimum: 2017}}}}");
  private static final BsonDocument WRONG_YEAR =
      BsonDocument.parse(
          "{operatorName: '$jsonSchema', title: 'Student', schemaRulesNotSatisfied:"
              + " [{operatorName: 'properties', propertiesNotSatisfied: [{propertyName: 'year',"
              + " details: [{operatorName: 'minimum', specifiedAs: {minimum: 2017}, reason:"
              + " 'comparison failed', consideredValue: 7}]}]}]}");

  private static MongoCollection<Document> students(DriverFixture fixture) {
    fixture
        .database()
        .createCollection(
            "students",
            new CreateCollectionOptions()
                .validationOptions(new ValidationOptions().validator(SCHEMA)));
    MongoCollection<Document> students = fixture.collection("students");
    students.insertOne(Document.parse("{_id: 1, name: 'Ada', year: 2018}"));
    return students;
  }

  private static void assertWrongYear(MongoWriteException e, int id) {
    assertThat(e).isNotNull();
    assertThat(e.getCode()).isEqualTo(DOCUMENT_VALIDATION_FAILURE);
    assertThat(e.getError().getMessage()).isEqualTo("Document failed validation");
    assertWrongYear(e.getError().getDetails(), id);
  }

  private static void assertWrongYear(BsonDocument details, int id) {
    assertThat(details.getInt32("failingDocumentId").getValue()).isEqualTo(id);
    assertThat(details.getDocument("details")).isEqualTo(WRONG_YEAR);
  }

  @Test
  void everyWayToWriteIsChecked(DriverFixture fixture) {
    MongoCollection<Document> students = students(fixture);
    Document wrong = Document.parse("{_id: 2, name: 'Bob', year: 7}");

    assertWrongYear(
        catchThrowableOfType(MongoWriteException.class, () -> students.insertOne(wrong)), 2);
    assertWrongYear(
        catchThrowableOfType(
            MongoWriteException.class,
            () -> students.updateOne(eq("_id", 1), Updates.set("year", 7))),
        1);
    assertWrongYear(
        catchThrowableOfType(
            MongoWriteException.class,
            () -> students.updateMany(eq("name", "Ada"), Updates.set("year", 7))),
        1);
    assertWrongYear(
        catchThrowableOfType(
            MongoWriteException.class,
            () -> students.replaceOne(eq("_id", 2), wrong, new ReplaceOptions().upsert(true))),
        2);
    assertWrongYear(
        catchThrowableOfType(
            MongoWriteException.class,
            () ->
                students.updateOne(
                    eq("_id", 3),
                    Updates.combine(Updates.set("name", "Cy"), Updates.set("year", 7)),
                    new UpdateOptions().upsert(true))),
        3);
    assertThat(students.countDocuments()).isEqualTo(1);
  }

  @Test
  void aBatchTellsWhichDocumentAndWhy(DriverFixture fixture) {
    MongoCollection<Document> students = students(fixture);
    MongoBulkWriteException e =
        catchThrowableOfType(
            MongoBulkWriteException.class,
            () ->
                students.insertMany(
                    List.of(
                        Document.parse("{_id: 2, name: 'Bob'}"),
                        Document.parse("{_id: 3, name: 'Cy', year: 7}"),
                        Document.parse("{_id: 4}")),
                    new InsertManyOptions().ordered(false)));
    assertThat(e.getWriteErrors()).hasSize(2);
    assertThat(e.getWriteErrors().getFirst().getIndex()).isEqualTo(1);
    assertWrongYear(e.getWriteErrors().getFirst().getDetails(), 3);
    assertThat(e.getWriteErrors().getLast().getDetails().getDocument("details").toJson())
        .contains("missingProperties");
  }

  @Test
  void findAndModifyTellsItInTheReply(DriverFixture fixture) {
    MongoCollection<Document> students = students(fixture);
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                students.findOneAndUpdate(
                    eq("_id", 1), Updates.set("year", 7), new FindOneAndUpdateOptions()));
    assertThat(e.getErrorCode()).isEqualTo(DOCUMENT_VALIDATION_FAILURE);
    assertWrongYear(e.getResponse().getDocument("errInfo"), 1);
  }

  @Test
  void bulkWriteOfTheClientTellsItToo(DriverFixture fixture) {
    students(fixture);
    var namespace = new MongoNamespace(fixture.database().getName(), "students");
    ClientBulkWriteException e =
        catchThrowableOfType(
            ClientBulkWriteException.class,
            () ->
                fixture
                    .client()
                    .bulkWrite(
                        List.of(
                            ClientNamespacedWriteModel.insertOne(
                                namespace, Document.parse("{_id: 5, name: 'Eve', year: 7}")))));
    assertThat(e.getWriteErrors().get(0).getCode()).isEqualTo(DOCUMENT_VALIDATION_FAILURE);
    assertWrongYear(e.getWriteErrors().get(0).getDetails(), 5);
  }

  @Test
  void aWriterMayBypassTheCheck(DriverFixture fixture) {
    MongoCollection<Document> students = students(fixture);
    students.insertOne(
        Document.parse("{_id: 9, year: 7}"), new InsertOneOptions().bypassDocumentValidation(true));
    assertThat(students.countDocuments()).isEqualTo(2);
  }

  @Test
  void collModChangesLevelAndAction(DriverFixture fixture) {
    MongoCollection<Document> students = students(fixture);
    students.insertOne(
        Document.parse("{_id: 9, year: 7}"), new InsertOneOptions().bypassDocumentValidation(true));
    fixture
        .database()
        .runCommand(Document.parse("{collMod: 'students', validationLevel: 'moderate'}"));
    students.updateOne(eq("_id", 9), Updates.set("seen", true));
    fixture
        .database()
        .runCommand(
            Document.parse(
                "{collMod: 'students', validationLevel: 'strict', validationAction:"
                    + " 'errorAndLog'}"));
    assertThat(
            catchThrowableOfType(
                MongoWriteException.class,
                () -> students.updateOne(eq("_id", 9), Updates.set("seen", false))))
        .isNotNull();
    fixture
        .database()
        .runCommand(Document.parse("{collMod: 'students', validationAction: 'warn'}"));
    students.updateOne(eq("_id", 9), Updates.set("seen", false));
    fixture.database().runCommand(Document.parse("{collMod: 'students', validator: {}}"));
    students.insertOne(new Document("_id", 10));
  }

  @Test
  void aSchemaIsAFilterToo(DriverFixture fixture) {
    MongoCollection<Document> people = fixture.collection("people");
    people.insertMany(
        List.of(
            Document.parse("{_id: 1, name: 'Ada', tags: ['a']}"),
            Document.parse("{_id: 2, name: 5}"),
            Document.parse("{_id: 3}")));
    assertThat(
            inOrderOfIds(
                people
                    .find(jsonSchema(Document.parse("{required: ['name']}")))
                    .map(person -> person.getInteger("_id"))
                    .into(new ArrayList<>())))
        .containsExactly(1, 2);
    assertThat(
            people.countDocuments(
                Document.parse(
                    "{$nor: [{$jsonSchema: {properties: {name: {bsonType: 'string'}}}}]}")))
        .isEqualTo(1);
    assertThat(
            people
                .aggregate(
                    List.of(
                        Document.parse(
                            "{$match: {$jsonSchema: {properties: {tags: {minItems: 1}},"
                                + " required: ['tags']}}}")))
                .first())
        .containsEntry("_id", 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"admin", "local", "config"})
  void internalDatabasesHaveNoValidators(String database, DriverFixture fixture) {
    MongoCommandException e =
        catchThrowableOfType(
            MongoCommandException.class,
            () ->
                fixture
                    .client()
                    .getDatabase(database)
                    .runCommand(Document.parse("{create: 'checked', validator: {a: 1}}")));
    assertThat(e.getErrorCode()).isEqualTo(72);
    assertThat(e.getErrorMessage()).startsWith("Document validators are not allowed on collection");
  }
}
