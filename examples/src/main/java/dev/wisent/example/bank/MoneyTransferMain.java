package dev.wisent.example.bank;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.example.bank.MoneyTransfer.NotEnoughMoney;
import dev.wisent.example.bank.MoneyTransfer.Summary;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/**
 * Four clerks move money at the same time: {@code MoneyTransferMain URI} with the connection string
 * of a replica set; by default that of {@code wisent cluster}.
 */
public final class MoneyTransferMain {
  private static final List<String> PEOPLE = List.of("ada", "ben", "cleo", "dan");
  private static final int CLERKS = 4;
  private static final int TRANSFERS_EACH = 25;

  private MoneyTransferMain() {}

  /** The argument is a connection string. */
  public static void main(String[] arguments) {
    String uri =
        arguments.length == 0
            ? "mongodb://localhost:27017,localhost:27018,localhost:27019/?replicaSet=rs0"
            : arguments[0];
    try (MongoClient client = MongoClients.create(uri)) {
      play(client, client.getDatabase("bank_example"), System.out);
    }
  }

  static void play(MongoClient client, MongoDatabase database, PrintStream out) {
    database.drop();
    var bank = new MoneyTransfer(client, database);
    PEOPLE.forEach(name -> bank.open(name, 10_000));
    show("In the morning", bank.summary(), out);
    var refused = new AtomicInteger();
    try (ExecutorService clerks = Executors.newFixedThreadPool(CLERKS)) {
      for (int i = 0; i < CLERKS; i++) {
        var random = RandomGenerator.of("L64X128MixRandom");
        clerks.execute(() -> work(bank, random, refused));
      }
    }
    show("In the evening", bank.summary(), out);
    out.println(refused + " transfers were refused");
    database.drop();
  }

  private static void work(MoneyTransfer bank, RandomGenerator random, AtomicInteger refused) {
    for (int i = 0; i < TRANSFERS_EACH; i++) {
      int from = random.nextInt(PEOPLE.size());
      int to = (from + random.nextInt(1, PEOPLE.size())) % PEOPLE.size();
      try {
        bank.transfer(PEOPLE.get(from), PEOPLE.get(to), random.nextInt(1, 5_000));
      } catch (NotEnoughMoney e) {
        refused.incrementAndGet();
      }
    }
  }

  private static void show(String title, Summary summary, PrintStream out) {
    out.println(title + ":");
    summary.cents().forEach((name, cents) -> out.println("  " + name + " has " + euros(cents)));
    out.printf(
        "  all have %s, %d transfers moved %s%n",
        euros(summary.total()), summary.transfers(), euros(summary.volume()));
  }

  private static String euros(long cents) {
    return "%d.%02d".formatted(cents / 100, cents % 100);
  }
}
