package dev.wisent.conformance.transaction;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.wisent.conformance.fault.ClientThreads;
import java.util.random.RandomGenerator;
import org.bson.Document;

/**
 * Sends the commits of its transactions more than once. Each transaction inserts a document and
 * counts it, so that one that is done twice, or in part, shows.
 */
final class RepeatedCommitClient implements ClientThreads.Client {

  static final String COMMITS = "commits";
  static final String TALLIES = "tallies";

  /** The tally that all clients change. */
  static final String ALL = "all";

  private static final int REPEATS_MAX = 3;

  private final String name;
  private final RandomGenerator random;
  private final CommitHistory history;
  private final ClientThreads threads;
  private final MongoClient client;
  private final MongoDatabase database;
  private long nextCommit;

  RepeatedCommitClient(
      String name,
      RandomGenerator random,
      CommitHistory history,
      ClientThreads threads,
      String uri) {
    this.name = name;
    this.random = random;
    this.history = history;
    this.threads = threads;
    this.client = MongoClients.create(ClientThreads.settings(uri));
    this.database = client.getDatabase(TransactionLoad.DATABASE);
  }

  @Override
  public void step() {
    String id = name + "-" + nextCommit++;
    history.begins(id);
    try (ClientSession session = client.startSession()) {
      Outcome outcome = TransactionAttempt.run(session, threads, () -> insertAndCount(session, id));
      history.ended(id, outcome);
      if (outcome == Outcome.COMMITTED) {
        commitAgain(session, id);
      }
    } catch (MongoException e) {
      threads.failed(e);
    }
  }

  private void insertAndCount(ClientSession session, String id) {
    database
        .getCollection(COMMITS)
        .insertOne(session, new Document("_id", id).append("client", name));
    for (String tally : new String[] {name, ALL}) {
      database
          .getCollection(TALLIES)
          .updateOne(session, eq(tally), Updates.inc("n", 1L), new UpdateOptions().upsert(true));
    }
  }

  /** The answer is the first one, also from another primary; a lost answer says nothing. */
  private void commitAgain(ClientSession session, String id) {
    int repeats = random.nextInt(REPEATS_MAX);
    for (int i = 0; i < repeats; i++) {
      try {
        session.commitTransaction();
      } catch (MongoException e) {
        threads.failed(e);
        if (!TransactionAttempt.isUnknown(e)) {
          history.contradicted(id, e);
        }
        return;
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
