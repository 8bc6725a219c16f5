package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/** Transfers between accounts, each in a transaction, until it is closed. The sum stays. */
final class BankLoad implements AutoCloseable {
  static final int ACCOUNTS = 2_000;
  static final int BALANCE = 100;

  private final MongoClient client;
  private final AtomicInteger done = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;
  private volatile RuntimeException failure;

  private BankLoad(MongoClient client) {
    this.client = client;
  }

  static void fill(MongoClient client) {
    List<Document> accounts = new ArrayList<>();
    for (int i = 0; i < ACCOUNTS; i++) {
      accounts.add(new Document("_id", i).append("balance", BALANCE));
    }
    client.getDatabase("bank").getCollection("accounts").insertMany(accounts);
    client.getDatabase("bank").getCollection("log").insertOne(new Document("_id", -1));
  }

  static BankLoad start(MongoClient client) {
    var load = new BankLoad(client);
    for (int i = 0; i < 2; i++) {
      var random = new Random(i);
      load.threads.add(Thread.ofPlatform().start(() -> load.run(() -> load.transfer(random))));
    }
    return load;
  }

  /** Another thread beside the transfers. */
  void also(Runnable turn) {
    threads.add(Thread.ofPlatform().start(() -> run(turn)));
  }

  private void run(Runnable turn) {
    try {
      while (!stopped) {
        turn.run();
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private void transfer(Random random) {
    MongoCollection<Document> accounts = client.getDatabase("bank").getCollection("accounts");
    MongoCollection<Document> log = client.getDatabase("bank").getCollection("log");
    int from = random.nextInt(ACCOUNTS);
    int to = random.nextInt(ACCOUNTS);
    int amount = random.nextInt(10);
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            accounts.updateOne(session, Filters.eq(from), Updates.inc("balance", -amount));
            accounts.updateOne(session, Filters.eq(to), Updates.inc("balance", amount));
            log.insertOne(
                session, new Document("from", from).append("to", to).append("amount", amount));
            return null;
          });
      done.incrementAndGet();
    } catch (MongoException e) {
      if (!e.hasErrorLabel("TransientTransactionError")) {
        throw e;
      }
    }
  }

  int done() {
    return done.get();
  }

  /** Waits until there were more transfers. */
  void awaitMore(int count) {
    int end = done() + count;
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (done() < end) {
      if (failure != null) {
        throw failure;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("no transfers for a minute");
      }
      Thread.onSpinWait();
    }
  }

  static TreeMap<String, List<Document>> now(MongoClient client) {
    var all = new TreeMap<String, List<Document>>();
    for (String name : List.of("accounts", "log")) {
      all.put(
          name,
          sorted(client.getDatabase("bank").getCollection(name).find().into(new ArrayList<>())));
    }
    return all;
  }

  private static List<Document> sorted(List<Document> documents) {
    documents.sort((a, b) -> a.get("_id").toString().compareTo(b.get("_id").toString()));
    return documents;
  }

  /**
   * Whether each balance is what the transfers that are logged make of it: a state that was there.
   */
  static void check(MongoClient client) {
    var balances = new int[ACCOUNTS];
    List<Document> log = now(client).get("log");
    for (Document transfer : log) {
      if (transfer.containsKey("amount")) {
        balances[transfer.getInteger("from")] -= transfer.getInteger("amount");
        balances[transfer.getInteger("to")] += transfer.getInteger("amount");
      }
    }
    assertThat(log).as("transfers").hasSizeGreaterThan(1);
    List<Document> accounts = now(client).get("accounts");
    assertThat(accounts).hasSize(ACCOUNTS);
    for (Document account : accounts) {
      assertThat(account.getInteger("balance"))
          .as("balance of %s", account.get("_id"))
          .isEqualTo(BALANCE + balances[account.getInteger("_id")]);
    }
    assertThat(sum(client)).isEqualTo(ACCOUNTS * BALANCE);
  }

  static int sum(MongoClient client) {
    return now(client).get("accounts").stream().mapToInt(each -> each.getInteger("balance")).sum();
  }

  @Override
  public void close() {
    stopped = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
