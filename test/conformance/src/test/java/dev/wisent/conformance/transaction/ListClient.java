package dev.wisent.conformance.transaction;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ClientSessionOptions;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.fault.ClientThreads;
import dev.wisent.conformance.transaction.ListOperation.Append;
import dev.wisent.conformance.transaction.ListOperation.Read;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * Reads lists of several collections and appends to them: in transactions of one to five documents,
 * with plain writes and reads, and at the time of a snapshot on any member.
 */
final class ListClient implements ClientThreads.Client {

  private static final List<String> COLLECTIONS = List.of("lists0", "lists1", "lists2");
  private static final int DOCUMENTS_MAX = 5;

  /** Some lists at a time, so that clients meet; then others, so that lists stay short. */
  private static final int APPENDS_PER_KEY = 100;

  private static final int KEYS_AT_A_TIME = 2;
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  private final String name;
  private final RandomGenerator random;
  private final ListAppendHistory history;
  private final AtomicLong values;
  private final ClientThreads threads;
  private final MongoClient client;
  private final MongoDatabase database;
  private long nextTransaction;

  /**
   * @param values the last value that any client appended
   */
  ListClient(
      String name,
      RandomGenerator random,
      ListAppendHistory history,
      AtomicLong values,
      ClientThreads threads,
      String uri) {
    this.name = name;
    this.random = random;
    this.history = history;
    this.values = values;
    this.threads = threads;
    this.client = MongoClients.create(ClientThreads.settings(uri));
    this.database =
        client.getDatabase(TransactionLoad.DATABASE).withWriteConcern(WriteConcern.MAJORITY);
  }

  /** What all lists hold, by collection and id. */
  static Map<String, List<Long>> lists(MongoDatabase database) {
    Map<String, List<Long>> lists = new HashMap<>();
    for (String collection : COLLECTIONS) {
      for (Document document : database.getCollection(collection).find()) {
        lists.put(collection + "/" + document.getLong("_id"), values(document));
      }
    }
    return lists;
  }

  private static List<Long> values(Document document) {
    return document == null ? List.of() : document.getList("values", Long.class);
  }

  @Override
  public void step() {
    int choice = random.nextInt(100);
    try {
      if (choice < 70) {
        transaction();
      } else if (choice < 80) {
        plainAppend();
      } else if (choice < 90) {
        plainRead();
      } else {
        snapshotRead(choice < 95 ? ReadPreference.primary() : ReadPreference.secondaryPreferred());
      }
    } catch (MongoException e) {
      threads.failed(e);
    }
  }

  private void transaction() {
    List<ListOperation> operations = new ArrayList<>();
    try (ClientSession session = client.startSession()) {
      Outcome outcome =
          TransactionAttempt.run(
              session,
              threads,
              () -> {
                int count = random.nextInt(1, DOCUMENTS_MAX + 1);
                for (int i = 0; i < count; i++) {
                  operation(session, operations);
                }
              });
      record(outcome, operations);
    }
  }

  private void operation(ClientSession session, List<ListOperation> operations) {
    String key = anyKey();
    if (random.nextBoolean()) {
      operations.add(new Read(key, values(collection(key).find(session, eq(id(key))).first())));
    } else {
      long value = values.incrementAndGet();
      // Noted before it is sent: also an append that fails has a writer, an aborted one.
      operations.add(new Append(key, value));
      collection(key).updateOne(session, eq(id(key)), Updates.push("values", value), UPSERT);
    }
  }

  private void plainAppend() {
    String key = anyKey();
    long value = values.incrementAndGet();
    Outcome outcome = Outcome.UNKNOWN;
    try {
      collection(key).updateOne(eq(id(key)), Updates.push("values", value), UPSERT);
      outcome = Outcome.COMMITTED;
    } finally {
      record(outcome, List.of(new Append(key, value)));
    }
  }

  private void plainRead() {
    String key = anyKey();
    Document found =
        collection(key).withReadConcern(ReadConcern.MAJORITY).find(eq(id(key))).first();
    record(Outcome.COMMITTED, List.of(new Read(key, values(found))));
  }

  private void snapshotRead(ReadPreference preference) {
    List<ListOperation> reads = new ArrayList<>();
    try (ClientSession session =
        client.startSession(ClientSessionOptions.builder().snapshot(true).build())) {
      int count = random.nextInt(2, DOCUMENTS_MAX + 1);
      for (int i = 0; i < count; i++) {
        String key = anyKey();
        Document found =
            collection(key).withReadPreference(preference).find(session, eq(id(key))).first();
        reads.add(new Read(key, values(found)));
      }
    }
    record(Outcome.COMMITTED, reads);
  }

  private void record(Outcome outcome, List<ListOperation> operations) {
    history.add(new ListTransaction(name + "-" + nextTransaction++, outcome, operations));
  }

  private String anyKey() {
    long id =
        values.get() / (APPENDS_PER_KEY * KEYS_AT_A_TIME) * KEYS_AT_A_TIME
            + random.nextInt(KEYS_AT_A_TIME);
    return COLLECTIONS.get(random.nextInt(COLLECTIONS.size())) + "/" + id;
  }

  private MongoCollection<Document> collection(String key) {
    return database.getCollection(key.substring(0, key.indexOf('/')));
  }

  private static long id(String key) {
    return Long.parseLong(key.substring(key.indexOf('/') + 1));
  }

  @Override
  public void close() {
    client.close();
  }
}
