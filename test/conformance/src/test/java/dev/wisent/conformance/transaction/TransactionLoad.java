package dev.wisent.conformance.transaction;

import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.fault.ClientThreads;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;

/** Clients with transactions of all kinds, change streams that follow them, and what they saw. */
final class TransactionLoad implements AutoCloseable {

  static final String DATABASE = "histories";

  /** Its only document is written after all others. */
  static final String END = "end";

  private static final int BANK_CLIENTS = 3;
  private static final int LIST_CLIENTS = 4;
  private static final int COMMIT_CLIENTS = 2;

  private final String uri;
  private final BankHistory bank =
      new BankHistory(BankClient.accounts(), BankClient.INITIAL_BALANCE);
  private final ListAppendHistory lists = new ListAppendHistory();
  private final CommitHistory commits = new CommitHistory("repeated commits");
  private final StreamHistory primaryStream = new StreamHistory("stream of the primary");
  private final StreamHistory secondaryStream = new StreamHistory("stream of a secondary");
  private final ClientThreads writers = new ClientThreads();
  private final ClientThreads readers = new ClientThreads();
  private BsonTimestamp start;

  TransactionLoad(String uri) {
    this.uri = uri;
  }

  /** Creates what the clients need, and starts them. */
  void start(SplittableGenerator random) {
    start(random, database -> {});
  }

  /**
   * The same.
   *
   * @param prepared makes the collections what they should be, before the first document
   */
  void start(SplittableGenerator random, Consumer<MongoDatabase> prepared) {
    try (MongoClient client = MongoClients.create(ClientThreads.settings(uri));
        ClientSession session = client.startSession()) {
      MongoDatabase database = client.getDatabase(DATABASE);
      database.runCommand(session, new Document("ping", 1));
      database.withWriteConcern(WriteConcern.MAJORITY).drop(session);
      prepared.accept(database);
      database.runCommand(session, new Document("ping", 1));
      start = session.getOperationTime();
      BankClient.createAccounts(database);
    }
    startReader(random.split(), primaryStream, ReadPreference.primary());
    startReader(random.split(), secondaryStream, ReadPreference.secondaryPreferred());
    for (int i = 0; i < BANK_CLIENTS; i++) {
      RandomGenerator choices = random.split();
      writers.start("bank" + i, name -> new BankClient(name, choices, bank, writers, uri));
    }
    AtomicLong values = new AtomicLong();
    for (int i = 0; i < LIST_CLIENTS; i++) {
      RandomGenerator choices = random.split();
      writers.start("list" + i, name -> new ListClient(name, choices, lists, values, writers, uri));
    }
    for (int i = 0; i < COMMIT_CLIENTS; i++) {
      RandomGenerator choices = random.split();
      writers.start(
          "commit" + i, name -> new RepeatedCommitClient(name, choices, commits, writers, uri));
    }
  }

  private void startReader(
      RandomGenerator choices, StreamHistory history, ReadPreference preference) {
    readers.start(
        "stream", name -> new StreamReader(choices, history, readers, start, preference, uri));
  }

  /** Whether a client has found something that no fault explains. */
  boolean endedEarly() {
    return writers.endedEarly() || readers.endedEarly();
  }

  /** Transactions of each kind that were committed so far, of the kind that has least. */
  long committed() {
    return Math.min(
        bank.transfers().committedCount(),
        Math.min(lists.committedCount(), commits.committedCount()));
  }

  /** Ends the load, and lets the streams come to its end. */
  void stop() {
    writers.stop();
    writeEnd();
    Eventually.holds(
        "the streams have come to the end",
        ReplicaSetProcesses.PATIENCE,
        () ->
            streams().stream().allMatch(stream -> stream.endsWith(DATABASE + "." + END))
                || readers.endedEarly());
    readers.stop();
  }

  /**
   * Writes the last document. Clients have the answer to a commit before all shards have applied
   * it; a causally consistent read waits for that.
   */
  private void writeEnd() {
    try (MongoClient client = MongoClients.create(ClientThreads.settings(uri));
        ClientSession session = client.startSession()) {
      MongoDatabase database = client.getDatabase(DATABASE);
      BsonDocument time =
          client
              .getDatabase("admin")
              .runCommand(new Document("ping", 1))
              .get("$clusterTime", Document.class)
              .toBsonDocument();
      session.advanceClusterTime(time);
      session.advanceOperationTime(time.getTimestamp("clusterTime"));
      for (String name : database.listCollectionNames()) {
        database.getCollection(name).find(session).into(new ArrayList<>());
      }
      database
          .getCollection(END)
          .withWriteConcern(WriteConcern.MAJORITY)
          .insertOne(session, new Document("_id", END));
    }
  }

  /** The time from which on the streams read. */
  BsonTimestamp startTime() {
    return start;
  }

  BankHistory bank() {
    return bank;
  }

  ListAppendHistory lists() {
    return lists;
  }

  CommitHistory commits() {
    return commits;
  }

  List<StreamHistory> streams() {
    return List.of(primaryStream, secondaryStream);
  }

  String summary() {
    return "%s; %s; %s; %d and %d events; writers: %s; streams: %s"
        .formatted(
            bank.summary(),
            lists.summary(),
            commits.summary(),
            primaryStream.count(),
            secondaryStream.count(),
            writers.errors(),
            readers.errors());
  }

  @Override
  public void close() {
    writers.close();
    readers.close();
  }
}
