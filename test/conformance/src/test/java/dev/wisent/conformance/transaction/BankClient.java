package dev.wisent.conformance.transaction;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.fault.ClientThreads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * A client of a bank: moves money between accounts of two collections with the driver's {@code
 * withTransaction}, and reads all accounts at one time, on the primary and on secondaries.
 */
final class BankClient implements ClientThreads.Client {

  static final List<String> COLLECTIONS = List.of("checking", "savings");
  static final String LEDGER = "ledger";
  static final long INITIAL_BALANCE = 100;
  private static final int ACCOUNTS_EACH = 5;

  private final String name;
  private final RandomGenerator random;
  private final BankHistory history;
  private final ClientThreads threads;
  private final MongoClient client;
  private final MongoDatabase database;
  private long nextTransfer;

  BankClient(
      String name, RandomGenerator random, BankHistory history, ClientThreads threads, String uri) {
    this.name = name;
    this.random = random;
    this.history = history;
    this.threads = threads;
    this.client = MongoClients.create(ClientThreads.settings(uri));
    this.database = client.getDatabase(TransactionLoad.DATABASE);
  }

  /** The names of all accounts: collection and id. */
  static Set<String> accounts() {
    Set<String> accounts = new TreeSet<>();
    for (String collection : COLLECTIONS) {
      for (int i = 0; i < ACCOUNTS_EACH; i++) {
        accounts.add(collection + "/" + i);
      }
    }
    return accounts;
  }

  static void createAccounts(MongoDatabase database) {
    for (String collection : COLLECTIONS) {
      for (int i = 0; i < ACCOUNTS_EACH; i++) {
        database
            .getCollection(collection)
            .withWriteConcern(WriteConcern.MAJORITY)
            .insertOne(new Document("_id", i).append("balance", INITIAL_BALANCE));
      }
    }
  }

  /** All balances, by the names of the accounts. */
  static Map<String, Long> balances(MongoDatabase database) {
    Map<String, Long> balances = new HashMap<>();
    for (String collection : COLLECTIONS) {
      put(collection, database.getCollection(collection).find(), balances);
    }
    return balances;
  }

  private static void put(
      String collection, Iterable<Document> documents, Map<String, Long> balances) {
    for (Document account : documents) {
      balances.put(collection + "/" + account.getInteger("_id"), account.getLong("balance"));
    }
  }

  @Override
  public void step() {
    int choice = random.nextInt(100);
    try {
      if (choice < 60) {
        transfer();
      } else if (choice < 70) {
        readInTransaction();
      } else {
        readSnapshot(choice < 80 ? ReadPreference.primary() : ReadPreference.secondaryPreferred());
      }
    } catch (MongoException e) {
      threads.failed(e);
    }
  }

  private void transfer() {
    String id = name + "-" + nextTransfer++;
    String from = anyCollection() + "/" + random.nextInt(ACCOUNTS_EACH);
    String to = anyCollection() + "/" + random.nextInt(ACCOUNTS_EACH);
    long amount = random.nextInt(1, 20);
    if (from.equals(to)) {
      return;
    }
    history.transfers().begins(id);
    try (ClientSession session = client.startSession()) {
      boolean moved =
          session.withTransaction(
              () -> move(session, id, from, to, amount), TransactionAttempt.OPTIONS);
      history.transfers().ended(id, moved ? Outcome.COMMITTED : Outcome.ABORTED);
    } catch (MongoWriteException e) {
      if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
        history.transfers().metItself(id);
      }
      throw e;
    }
  }

  /** Balances are read and set, not incremented: a change that is overwritten shows in the sum. */
  private boolean move(ClientSession session, String id, String from, String to, long amount) {
    long available = balance(session, from);
    if (available < amount) {
      return false;
    }
    long before = balance(session, to);
    set(session, from, available - amount);
    database
        .getCollection(LEDGER)
        .insertOne(
            session,
            new Document("_id", id).append("from", from).append("to", to).append("amount", amount));
    set(session, to, before + amount);
    return true;
  }

  private long balance(ClientSession session, String account) {
    return collection(account).find(session, eq(id(account))).first().getLong("balance");
  }

  private void set(ClientSession session, String account, long balance) {
    collection(account).updateOne(session, eq(id(account)), Updates.set("balance", balance));
  }

  private MongoCollection<Document> collection(String account) {
    return database.getCollection(account.substring(0, account.indexOf('/')));
  }

  private static int id(String account) {
    return Integer.parseInt(account.substring(account.indexOf('/') + 1));
  }

  private String anyCollection() {
    return COLLECTIONS.get(random.nextInt(COLLECTIONS.size()));
  }

  private void readInTransaction() {
    try (ClientSession session = client.startSession()) {
      Map<String, Long> balances = new HashMap<>();
      Outcome outcome =
          TransactionAttempt.run(
              session, threads, () -> balances.putAll(balances(session, ReadPreference.primary())));
      if (outcome == Outcome.COMMITTED) {
        history.read(name + " in a transaction", balances);
      }
    }
  }

  private void readSnapshot(ReadPreference preference) {
    try (ClientSession session =
        client.startSession(ClientSessionOptions.builder().snapshot(true).build())) {
      history.read(name + " from " + preference.getName(), balances(session, preference));
    }
  }

  private Map<String, Long> balances(ClientSession session, ReadPreference preference) {
    Map<String, Long> balances = new HashMap<>();
    for (String collection : COLLECTIONS) {
      put(
          collection,
          database.getCollection(collection).withReadPreference(preference).find(session),
          balances);
    }
    return balances;
  }

  @Override
  public void close() {
    client.close();
  }
}
