package dev.wisent.conformance.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.fault.ClientThreads;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.ShardedProcesses;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/**
 * Transfers between accounts, each in a transaction that logs it; in a cluster between two shards,
 * while ranges of the accounts move. In every state that was there, each balance is what the log
 * makes of it.
 */
final class Transfers implements AutoCloseable {
  static final String ACCOUNTS = "bank.accounts";
  static final String LOG = "bank.log";
  static final int COUNT = 12_000;
  static final int BALANCE = 100;
  static final int RANGES = 12;

  private static final int BATCH = 1_000;
  private static final String FILLER = "x".repeat(300);

  private final String uri;
  private final ClientThreads threads = new ClientThreads();
  private final AtomicInteger transfers = new AtomicInteger();
  private final AtomicInteger moves = new AtomicInteger();

  Transfers(String uri) {
    this.uri = uri;
  }

  /** Spreads both collections over two shards. */
  void fillShards() {
    try (MongoClient client = MongoClients.create(uri)) {
      shard(client, ACCOUNTS, new Document("_id", 1));
      shard(client, LOG, new Document("_id", "hashed"));
      fill();
      for (int range = 0; range < RANGES; range += 2) {
        move(client, range, 1);
      }
    }
  }

  void fill() {
    try (MongoClient client = MongoClients.create(uri)) {
      MongoCollection<Document> accounts = accounts(client);
      for (int begin = 0; begin < COUNT; begin += BATCH) {
        List<Document> batch = new ArrayList<>();
        for (int i = begin; i < begin + BATCH; i++) {
          batch.add(new Document("_id", i).append("balance", BALANCE).append("filler", FILLER));
        }
        accounts.insertMany(batch);
      }
      log(client).createIndex(new Document("from", 1));
    }
  }

  static void shard(MongoClient client, String namespace, Document key) {
    client
        .getDatabase("admin")
        .runCommand(new Document("shardCollection", namespace).append("key", key));
  }

  private static void move(MongoClient client, int range, int shard) {
    client
        .getDatabase("admin")
        .runCommand(
            new Document("moveRange", ACCOUNTS)
                .append("min", new Document("_id", range * COUNT / RANGES))
                .append("max", new Document("_id", (range + 1) * COUNT / RANGES))
                .append("toShard", "shard" + shard));
  }

  private static MongoCollection<Document> accounts(MongoClient client) {
    return client.getDatabase("bank").getCollection("accounts");
  }

  private static MongoCollection<Document> log(MongoClient client) {
    return client.getDatabase("bank").getCollection("log");
  }

  /** Starts clients that transfer. */
  void start(int clients, long seed) {
    for (int i = 0; i < clients; i++) {
      var random = new Random(seed + i);
      threads.start("transfers-" + i, ignored -> new Client(client -> transfer(client, random)));
    }
  }

  /** Starts a client that moves ranges in a loop. */
  void startMoves(long seed) {
    var random = new Random(seed);
    threads.start("moves", ignored -> new Client(client -> moveOne(client, random)));
  }

  /** One thread of the load. */
  private final class Client implements ClientThreads.Client {
    private final MongoClient client = MongoClients.create(uri);
    private final java.util.function.Consumer<MongoClient> work;

    private Client(java.util.function.Consumer<MongoClient> work) {
      this.work = work;
    }

    @Override
    public void step() {
      work.accept(client);
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private void transfer(MongoClient client, Random random) {
    int from = random.nextInt(COUNT);
    int to = random.nextInt(COUNT);
    int amount = 1 + random.nextInt(9);
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            accounts(client).updateOne(session, Filters.eq(from), Updates.inc("balance", -amount));
            accounts(client).updateOne(session, Filters.eq(to), Updates.inc("balance", amount));
            log(client)
                .insertOne(
                    session, new Document("from", from).append("to", to).append("amount", amount));
            return null;
          });
      transfers.incrementAndGet();
    } catch (MongoException e) {
      if (!e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
        throw e;
      }
    }
  }

  private void moveOne(MongoClient client, Random random) {
    try {
      move(client, random.nextInt(RANGES), random.nextInt(2));
      moves.incrementAndGet();
    } catch (MongoException e) {
      threads.failed(e); // such as a range that was moved just now; InternalError is a finding
    }
  }

  int transfers() {
    return transfers.get();
  }

  int moves() {
    return moves.get();
  }

  /** Waits until the load has gone on; fails with what a client has found. */
  void awaitMore(int moreTransfers, int moreMoves) {
    int transfersThen = transfers() + moreTransfers;
    int movesThen = moves() + moreMoves;
    Eventually.holds(
        "more transfers and moves",
        ShardedProcesses.PATIENCE,
        () -> threads.endedEarly() || (transfers() >= transfersThen && moves() >= movesThen));
    if (threads.endedEarly()) {
      threads.stop();
    }
  }

  /** Ends the load; fails with what a client has found. */
  void stop() {
    threads.stop();
  }

  String summary() {
    return "%d transfers, %d moves, %s".formatted(transfers(), moves(), threads.errors());
  }

  /** Fails unless this is a state that was there. Returns how many transfers it has. */
  static int check(MongoClient client) {
    var balances = new int[COUNT];
    int logged = 0;
    for (Document transfer : log(client).find()) {
      balances[transfer.getInteger("from")] -= transfer.getInteger("amount");
      balances[transfer.getInteger("to")] += transfer.getInteger("amount");
      logged++;
    }
    int count = 0;
    long sum = 0;
    for (Document account : accounts(client).find()) {
      int id = account.getInteger("_id");
      assertThat(account.getInteger("balance"))
          .as("balance of %d", id)
          .isEqualTo(BALANCE + balances[id]);
      assertThat(account.getString("filler")).isEqualTo(FILLER);
      sum += account.getInteger("balance");
      count++;
    }
    assertThat(count).as("accounts").isEqualTo(COUNT);
    assertThat(sum).as("sum").isEqualTo((long) COUNT * BALANCE);
    assertThat(accounts(client).countDocuments()).isEqualTo(COUNT);
    return logged;
  }

  @Override
  public void close() {
    threads.close();
  }
}
