package dev.wisent.conformance.fault;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** Moves amounts between accounts of all shards, and now and then adds them all up. */
final class BankClient implements ClientThreads.Client {
  static final String DATABASE = "bank";
  static final String ACCOUNTS = "accounts";
  static final String RECEIPTS = "receipts";
  static final int ACCOUNT_COUNT = 12;
  static final int BALANCE = 1000;

  private static final int SUM_EVERY = 5;
  private static final long COMMIT_NANOS_MAX = TimeUnit.SECONDS.toNanos(120);
  private static final TransactionOptions OPTIONS =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .build();

  private final String name;
  private final BankHistory history;
  private final MongoClient client;
  private final Random random;
  private int number;

  BankClient(String name, BankHistory history, String uri) {
    this.name = name;
    this.history = history;
    this.client = MongoClients.create(ClusterLoad.settings(uri));
    this.random = new Random(name.hashCode());
  }

  private MongoCollection<Document> accounts() {
    return client.getDatabase(DATABASE).getCollection(ACCOUNTS);
  }

  @Override
  public void step() {
    try (ClientSession session = client.startSession()) {
      if (++number % SUM_EVERY == 0) {
        addUp(session);
      } else {
        transfer(session, name + "-" + number);
      }
    }
  }

  private void transfer(ClientSession session, String id) {
    int from = random.nextInt(ACCOUNT_COUNT);
    int to = random.nextInt(ACCOUNT_COUNT);
    int amount = 1 + random.nextInt(9);
    boolean sent = false;
    try {
      session.startTransaction(OPTIONS);
      accounts().updateOne(session, Filters.eq(from), Updates.inc("x", -amount));
      accounts().updateOne(session, Filters.eq(to), Updates.inc("x", amount));
      client
          .getDatabase(DATABASE)
          .getCollection(RECEIPTS)
          .insertOne(
              session,
              new Document("_id", id)
                  .append("from", from)
                  .append("to", to)
                  .append("amount", amount));
      sent = true;
      commit(session);
      history.committed(id);
    } catch (MongoException e) {
      // After TransientTransactionError drivers begin anew: nothing of it may remain.
      if (!sent || e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
        history.aborted(id);
      } else {
        history.unknown(id);
      }
    }
  }

  private static void commit(ClientSession session) {
    long start = System.nanoTime();
    while (true) {
      try {
        session.commitTransaction();
        return;
      } catch (MongoException e) {
        if (!e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)
            || System.nanoTime() - start > COMMIT_NANOS_MAX) {
          throw e;
        }
      }
    }
  }

  private void addUp(ClientSession session) {
    Document sum;
    try {
      session.startTransaction(OPTIONS);
      sum =
          accounts()
              .aggregate(session, List.of(Aggregates.group(null, Accumulators.sum("n", "$x"))))
              .first();
      session.commitTransaction();
    } catch (MongoException e) {
      return;
    }
    if (sum.getInteger("n") != ACCOUNT_COUNT * BALANCE) {
      throw new AssertionError("a snapshot of all accounts has " + sum);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
