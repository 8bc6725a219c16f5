package dev.wisent.bench.store;

import com.mongodb.MongoException;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.MongoIterable;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.bench.data.BenchDocument;
import dev.wisent.bench.data.Places;
import dev.wisent.bench.store.Filter.AtLeast;
import dev.wisent.bench.store.Filter.Between;
import dev.wisent.bench.store.Filter.Condition;
import dev.wisent.bench.store.Filter.Equal;
import dev.wisent.bench.store.Filter.Matching;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;

/** A client on the shared driver pool; documents pass through it undecoded. */
final class MongoSession implements Session {
  private static final Field ID = Field.text("_id");

  private final MongoDatabase database;
  private final Map<String, MongoCollection<RawBsonDocument>> collections = new HashMap<>();

  private final MongoClient client;
  private final WriteConcern concern;
  private final boolean ordered;

  /** Null before the first transaction. */
  private ClientSession session;

  /**
   * @param ordered whether a batch is inserted in its order. A router would have to send it in
   *     pieces of two or three documents to one shard after the other.
   */
  MongoSession(MongoClient client, MongoDatabase database, Durability durability, boolean ordered) {
    this.ordered = ordered;
    this.client = client;
    this.concern = writeConcern(durability);
    this.database = database.withWriteConcern(concern);
  }

  private static WriteConcern writeConcern(Durability durability) {
    return switch (durability) {
      case READ_ONLY, ACKNOWLEDGED -> WriteConcern.W1.withJournal(false);
      case JOURNALED -> WriteConcern.W1.withJournal(true);
      case MAJORITY -> WriteConcern.MAJORITY.withJournal(true);
    };
  }

  private MongoCollection<RawBsonDocument> collection(String name) {
    return collections.computeIfAbsent(name, n -> database.getCollection(n, RawBsonDocument.class));
  }

  @Override
  public void insert(String collection, BenchDocument document) {
    collection(collection).insertOne(document.bson());
  }

  @Override
  public void insertMany(String collection, List<BenchDocument> documents) {
    List<RawBsonDocument> encoded = new ArrayList<>(documents.size());
    documents.forEach(document -> encoded.add(document.bson()));
    collection(collection).insertMany(encoded, new InsertManyOptions().ordered(ordered));
  }

  @Override
  public boolean read(String collection, String id) {
    return collection(collection).find(byId(id)).first() != null;
  }

  @Override
  public boolean increment(String collection, String id, String field) {
    BsonDocument update = new BsonDocument("$inc", new BsonDocument(field, new BsonInt32(1)));
    return collection(collection).updateOne(byId(id), update).getMatchedCount() == 1;
  }

  @Override
  public boolean setField(String collection, String id, String field, String value) {
    BsonDocument update = new BsonDocument("$set", new BsonDocument(field, new BsonString(value)));
    return collection(collection).updateOne(byId(id), update).getMatchedCount() == 1;
  }

  @Override
  public int readAll(String collection, List<String> ids) {
    var values = new BsonArray(ids.size());
    ids.forEach(id -> values.add(new BsonString(id)));
    return drain(
        collection(collection).find(new BsonDocument("_id", new BsonDocument("$in", values))));
  }

  @Override
  public int find(String collection, Filter filter) {
    return drain(collection(collection).find(bson(filter)));
  }

  @Override
  public int findField(String collection, Filter filter, Field field) {
    var projection =
        new BsonDocument(field.name(), new BsonInt32(1)).append("_id", new BsonInt32(0));
    return drain(collection(collection).find(bson(filter)).projection(projection));
  }

  @Override
  public int findSorted(String collection, Filter filter, Field order, int limit) {
    return drain(
        collection(collection)
            .find(bson(filter))
            .sort(new BsonDocument(order.name(), new BsonInt32(1)))
            .limit(limit));
  }

  @Override
  public int scanFrom(String collection, String fromId, int limit) {
    return findSorted(collection, Filter.of(new AtLeast(ID, fromId)), ID, limit);
  }

  /** The index is the only one of its kind, so that the field need not be named. */
  @Override
  public int search(String collection, Field field, List<String> words, int limit) {
    var text = new BsonDocument("$search", new BsonString(String.join(" ", words)));
    return drain(
        collection(collection)
            .find(new BsonDocument("$text", text))
            .sort(new BsonDocument("score", new BsonDocument("$meta", new BsonString("textScore"))))
            .limit(limit));
  }

  @Override
  public int near(String collection, Field field, Places.Point point, int limit) {
    var coordinates =
        new BsonArray(List.of(new BsonDouble(point.longitude()), new BsonDouble(point.latitude())));
    var geometry =
        new BsonDocument("type", new BsonString("Point")).append("coordinates", coordinates);
    var near = new BsonDocument("$near", new BsonDocument("$geometry", geometry));
    return drain(collection(collection).find(new BsonDocument(field.name(), near)).limit(limit));
  }

  private static BsonDocument bson(Filter filter) {
    var document = new BsonDocument();
    for (Condition condition : filter.conditions()) {
      Field field = condition.field();
      document.put(
          field.name(),
          switch (condition) {
            case Equal equal -> bson(field, equal.value());
            case AtLeast atLeast -> new BsonDocument("$gte", bson(field, atLeast.from()));
            case Between between ->
                new BsonDocument("$gte", bson(field, between.from()))
                    .append("$lt", bson(field, between.to()));
            case Matching matching -> new BsonRegularExpression(matching.pattern());
          });
    }
    return document;
  }

  private static BsonValue bson(Field field, Object value) {
    return switch (field.type()) {
      case INTEGER -> new BsonInt64((long) value);
      case DATE -> new BsonDateTime((long) value);
      case TEXT, PROSE -> new BsonString((String) value);
      case PLACE -> throw new IllegalArgumentException("no value to compare with: " + field);
    };
  }

  @Override
  public long count(String collection, Filter filter) {
    // The driver's countDocuments() is an aggregation; the count command is the plain question.
    BsonDocument command =
        new BsonDocument("count", new BsonString(collection)).append("query", bson(filter));
    return database.runCommand(command, BsonDocument.class).getNumber("n").longValue();
  }

  @Override
  public int analyse(Analysis analysis) {
    return drain(collection(analysis.collection()).aggregate(analysis.pipeline()));
  }

  @Override
  public int fruitlessScan(String collection) {
    return drain(
        collection(collection).find(new BsonDocument("absent", new BsonString("nowhere"))));
  }

  @Override
  public int insertAndIncrement(
      String collection, BenchDocument document, String id, String field) {
    return inTransaction(
        () -> {
          collection(collection).insertOne(session, document.bson());
          increment(session, collection, id, field);
        });
  }

  @Override
  public int incrementAll(String collection, List<String> ids, String field) {
    return inTransaction(() -> ids.forEach(id -> increment(session, collection, id, field)));
  }

  private void increment(ClientSession in, String collection, String id, String field) {
    BsonDocument update = new BsonDocument("$inc", new BsonDocument(field, new BsonInt32(1)));
    if (collection(collection).updateOne(in, byId(id), update).getMatchedCount() != 1) {
      throw new StoreException("document " + id + " was not found");
    }
  }

  private int inTransaction(Runnable statements) {
    if (session == null) {
      session = client.startSession();
    }
    var options = TransactionOptions.builder().writeConcern(concern).build();
    for (int retries = 0; ; retries++) {
      session.startTransaction(options);
      try {
        statements.run();
        session.commitTransaction();
        return retries;
      } catch (MongoException e) {
        if (session.hasActiveTransaction()) {
          session.abortTransaction();
        }
        if (!e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() {
    if (session != null) {
      session.close();
    }
  }

  private static BsonDocument byId(String id) {
    return new BsonDocument("_id", new BsonString(id));
  }

  private static int drain(MongoIterable<RawBsonDocument> documents) {
    int count = 0;
    try (MongoCursor<RawBsonDocument> cursor = documents.cursor()) {
      while (cursor.hasNext()) {
        cursor.next();
        count++;
      }
    }
    return count;
  }
}
