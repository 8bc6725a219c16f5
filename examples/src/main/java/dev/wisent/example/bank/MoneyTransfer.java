package dev.wisent.example.bank;

import static com.mongodb.client.model.Accumulators.sum;
import static com.mongodb.client.model.Aggregates.group;
import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.Document;

/**
 * Accounts, and transfers between them. A transfer takes from one account, adds to another and
 * writes a line into a journal: all of it, or nothing.
 *
 * <p>The driver's {@code withTransaction} runs the body again when another transaction was faster
 * or the primary changed, and sends the commit again when its answer was lost. So the body does
 * nothing but database operations of its session.
 */
public final class MoneyTransfer {
  private static final TransactionOptions SAFE =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .build();

  private final MongoClient client;
  private final MongoCollection<Document> accounts;
  private final MongoCollection<Document> journal;

  /** Thrown out of a transaction, which thereby has no effect. */
  public static final class NotEnoughMoney extends RuntimeException {
    private static final long serialVersionUID = 1;

    NotEnoughMoney(String account) {
      super("not enough money in " + account);
    }
  }

  /**
   * What all accounts hold at one time.
   *
   * @param cents by account
   * @param transfers how many there were
   * @param volume how much was moved by them
   */
  public record Summary(Map<String, Long> cents, long transfers, long volume) {

    /** Moving money does not change it. */
    public long total() {
      return cents.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  public MoneyTransfer(MongoClient client, MongoDatabase database) {
    this.client = client;
    this.accounts = database.getCollection("accounts").withWriteConcern(WriteConcern.MAJORITY);
    this.journal = database.getCollection("journal");
  }

  public void open(String account, long cents) {
    accounts.insertOne(new Document("_id", account).append("cents", cents));
  }

  /** Moves money; an account that has too little stays as it is. */
  public void transfer(String from, String to, long cents) {
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            // The filter is the check: a balance that was read before could be out of date.
            if (accounts
                    .updateOne(session, and(eq(from), gte("cents", cents)), inc("cents", -cents))
                    .getModifiedCount()
                == 0) {
              throw new NotEnoughMoney(from);
            }
            accounts.updateOne(session, eq(to), inc("cents", cents));
            journal.insertOne(
                session, new Document("from", from).append("to", to).append("cents", cents));
            return cents;
          },
          SAFE);
    }
  }

  /** Reads accounts and journal in one transaction, which sees both at one time. */
  public Summary summary() {
    try (ClientSession session = client.startSession()) {
      return session.withTransaction(
          () -> {
            Map<String, Long> cents = new TreeMap<>();
            accounts
                .find(session)
                .forEach(account -> cents.put(account.getString("_id"), account.getLong("cents")));
            Document all =
                journal
                    .aggregate(
                        session, List.of(group(null, sum("count", 1L), sum("volume", "$cents"))))
                    .first();
            return all == null
                ? new Summary(cents, 0, 0)
                : new Summary(cents, all.getLong("count"), all.getLong("volume"));
          },
          SAFE);
    }
  }
}
