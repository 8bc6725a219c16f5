package dev.wisent.conformance.fault;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * A client of a cluster: writes to sharded and unsharded collections, and reads what it has
 * written. Used by one thread.
 */
final class ClusterClient implements ClientThreads.Client {
  static final String DATABASE = "fault";

  /** Sharded by its hashed {@code _id}. */
  static final String ITEMS = "items";

  /** Not sharded. */
  static final String NOTES = "notes";

  /** Sharded by its hashed {@code _id}. */
  static final String COUNTERS = "counters";

  private static final int COUNTER_COUNT = 5;
  private static final int BATCH = 5;

  private final String name;
  private final ClusterLoad load;
  private final MongoClient client;
  private final ClientSession session;
  private final MongoDatabase database;
  private final List<String> written = new ArrayList<>();
  private long sent;
  private long turn;

  ClusterClient(String name, ClusterLoad load, String uri) {
    this.name = name;
    this.load = load;
    this.client = MongoClients.create(ClusterLoad.settings(uri));
    this.session =
        client.startSession(ClientSessionOptions.builder().causallyConsistent(true).build());
    this.database =
        client
            .getDatabase(DATABASE)
            .withWriteConcern(WriteConcern.MAJORITY)
            .withReadConcern(ReadConcern.MAJORITY);
  }

  /** One operation. An error of the database is noted; a wrong answer is a finding. */
  @Override
  public void step() {
    try {
      switch ((int) (turn++ % 6)) {
        case 0 -> insert();
        case 1 -> insertNote();
        case 2 -> increment();
        case 3 -> insertMany();
        case 4 -> incrementAndGet();
        default -> read();
      }
      load.done();
    } catch (MongoException unknownOutcome) {
      load.failed(unknownOutcome);
    }
  }

  private Document newItem() {
    String id = name + "-" + sent++;
    load.items().sent(id);
    return new Document("_id", id).append("client", name);
  }

  private void insert() {
    Document item = newItem();
    try {
      database.getCollection(ITEMS).insertOne(session, item);
    } catch (MongoWriteException e) {
      if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
        load.items().duplicate(item.getString("_id"));
      }
      throw e;
    }
    acknowledged(item);
  }

  private void acknowledged(Document item) {
    load.items().acknowledged(item.getString("_id"));
    written.add(item.getString("_id"));
  }

  private void insertMany() {
    List<Document> batch = new ArrayList<>();
    for (int i = 0; i < BATCH; i++) {
      batch.add(newItem());
    }
    database.getCollection(ITEMS).insertMany(session, batch);
    batch.forEach(this::acknowledged);
  }

  private void insertNote() {
    String id = name + "-note" + turn;
    load.notes().sent(id);
    database.getCollection(NOTES).insertOne(session, new Document("_id", id));
    load.notes().acknowledged(id);
  }

  private void increment() {
    String counter = counter();
    try {
      database
          .getCollection(COUNTERS)
          .updateOne(session, eq(counter), oneMore(), new UpdateOptions().upsert(true));
    } catch (MongoException e) {
      load.counters().unknown(counter, name);
      throw e;
    }
    load.counters().acknowledged(counter, name);
  }

  private void incrementAndGet() {
    String counter = counter();
    Document after;
    try {
      after =
          database
              .getCollection(COUNTERS)
              .findOneAndUpdate(
                  session,
                  eq(counter),
                  oneMore(),
                  new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    } catch (MongoException e) {
      load.counters().unknown(counter, name);
      throw e;
    }
    load.counters().acknowledged(counter, name, after.get("by", Document.class).getLong(name));
  }

  private String counter() {
    return "counter" + turn % COUNTER_COUNT;
  }

  private Bson oneMore() {
    return Updates.combine(Updates.inc("total", 1L), Updates.inc("by." + name, 1L));
  }

  /** What it has written is there, one by one and in a count over all shards. */
  private void read() {
    if (written.isEmpty()) {
      return;
    }
    String last = written.getLast();
    if (database.getCollection(ITEMS).find(session, eq(last)).first() == null) {
      throw new AssertionError(last + " was acknowledged and is not found");
    }
    long count = database.getCollection(ITEMS).countDocuments(session, eq("client", name));
    if (count < written.size() || count > sent) {
      throw new AssertionError(
          name + " counts " + count + ", expected " + written.size() + " to " + sent);
    }
  }

  @Override
  public void close() {
    session.close();
    client.close();
  }
}
