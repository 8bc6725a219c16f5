package dev.wisent.conformance.fault;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * A client of the fault test, with a driver of its own: does one operation after the other and
 * notes what it was told. Used by one thread.
 */
final class FaultClient implements ClientThreads.Client {

  static final String DATABASE = "fault";
  static final String REGISTER = "register";
  private static final int COUNTERS = 3;

  private final String name;
  private final RandomGenerator random;
  private final FaultLoad load;
  private final MongoClient client;
  private final MongoDatabase database;
  private long nextInsert;

  FaultClient(String name, RandomGenerator random, FaultLoad load, String uri) {
    this.name = name;
    this.random = random;
    this.load = load;
    this.client = MongoClients.create(ClientThreads.settings(uri));
    this.database = client.getDatabase(DATABASE).withWriteConcern(WriteConcern.MAJORITY);
  }

  /** One operation. An error of the database is part of the test; any other is a finding. */
  @Override
  public void step() {
    int choice = random.nextInt(100);
    try {
      if (choice < 35) {
        insert();
      } else if (choice < 55) {
        increment();
      } else if (choice < 70) {
        incrementAndGet();
      } else if (choice < 80) {
        writeRegister();
      } else if (choice < 92) {
        readRegister();
      } else {
        readRegisterAnywhere();
      }
    } catch (MongoException unknownOutcome) {
      load.failed(unknownOutcome);
    }
  }

  private void insert() {
    String id = name + "-" + nextInsert++;
    load.inserts().sent(id);
    try {
      collection("inserts").insertOne(new Document("_id", id).append("client", name));
      load.inserts().acknowledged(id);
    } catch (MongoWriteException e) {
      if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
        load.inserts().duplicate(id);
      }
      throw e;
    }
  }

  private void increment() {
    String counter = randomCounter();
    try {
      collection("counters").updateOne(eq(counter), oneMore(), new UpdateOptions().upsert(true));
    } catch (MongoException e) {
      load.counters().unknown(counter, name);
      throw e;
    }
    load.counters().acknowledged(counter, name);
  }

  private void incrementAndGet() {
    String counter = randomCounter();
    Document after;
    try {
      after =
          collection("counters")
              .findOneAndUpdate(
                  eq(counter),
                  oneMore(),
                  new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    } catch (MongoException e) {
      load.counters().unknown(counter, name);
      throw e;
    }
    long sum = after.get("by", Document.class).getLong(name);
    load.counters().acknowledged(counter, name, sum);
  }

  private String randomCounter() {
    return "counter" + random.nextInt(COUNTERS);
  }

  private Bson oneMore() {
    return Updates.combine(Updates.inc("total", 1L), Updates.inc("by." + name, 1L));
  }

  private void writeRegister() {
    long value = load.nextRegisterValue();
    load.register().writeBegins(value, System.nanoTime());
    collection(REGISTER).updateOne(eq(REGISTER), Updates.max("value", value));
    load.register().writeAcknowledged(value, System.nanoTime());
  }

  private void readRegister() {
    long begin = System.nanoTime();
    Document found =
        collection(REGISTER)
            .withReadConcern(ReadConcern.LINEARIZABLE)
            .find(eq(REGISTER))
            .maxTime(5, TimeUnit.SECONDS)
            .first();
    load.register().read(name, begin, System.nanoTime(), found.getLong("value"));
  }

  private void readRegisterAnywhere() {
    long begin = System.nanoTime();
    Optional<Document> found =
        Optional.ofNullable(
            collection(REGISTER)
                .withReadPreference(ReadPreference.secondaryPreferred())
                .find(eq(REGISTER))
                .first());
    // A member that has just got its data may not have the register yet.
    found.ifPresent(
        document ->
            load.register().weakRead(name, begin, System.nanoTime(), document.getLong("value")));
  }

  private MongoCollection<Document> collection(String collection) {
    return database.getCollection(collection);
  }

  @Override
  public void close() {
    client.close();
  }
}
