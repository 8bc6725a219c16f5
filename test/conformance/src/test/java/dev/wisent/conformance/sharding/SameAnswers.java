package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.wisent.testkit.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.function.Function;
import org.bson.Document;

/**
 * Compares the answers to commands on one database of a set and of a cluster.
 *
 * @param collated whether strings of different case are equal: which of them stands for a group
 *     depends on which comes first
 * @param moving whether chunks move: transactions that meet that are tried again, as drivers do
 */
record SameAnswers(
    TwoDeployments clients, String database, String about, boolean collated, boolean moving) {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> COMMITTED = List.of("committed");

  /** A statement of a transaction. */
  record Statement(String command, boolean ordered) {}

  void same(String command, boolean ordered) {
    Document parsed = Document.parse(command);
    assertThat(shown(command, answer(clients.routed(), parsed, null), ordered))
        .as("%s: %s", about, command)
        .isEqualTo(shown(command, answer(clients.single(), parsed, null), ordered));
  }

  /**
   * A change of shard keys, which takes a retryable write or a transaction.
   *
   * @param way 0 for a transaction, 1 for a write, 2 for one that is sent twice
   */
  void sameChange(String command, int way) {
    Document parsed = Document.parse(command);
    List<String> wanted = shown(command, answer(clients.single(), parsed, null), true);
    if (way == 0 && !isFailed(wanted)) {
      assertThat(shown(command, inTransaction(parsed), true))
          .as("%s, in a transaction: %s", about, command)
          .isEqualTo(wanted);
      return;
    }
    parsed.append("txnNumber", clients.nextNumber());
    for (int attempt = 1; attempt <= Math.max(1, way); attempt++) {
      assertThat(shown(command, answer(clients.routed(), parsed, clients.session()), true))
          .as("%s, attempt %d: %s", about, attempt, command)
          .isEqualTo(wanted);
    }
  }

  private List<String> inTransaction(Document command) {
    return withAttempts(
        own -> {
          own.startTransaction();
          List<String> lines = answer(clients.routed(), command, own);
          own.commitTransaction();
          return lines;
        });
  }

  /** Runs a transaction of the cluster, again where that is what its error asks for. */
  private <T> T withAttempts(Function<ClientSession, T> transaction) {
    Deadline deadline = Deadline.after(PATIENCE);
    while (true) {
      try (ClientSession own = clients.routed().startSession()) {
        return transaction.apply(own);
      } catch (MongoCommandException e) {
        if (!isTransient(e) || deadline.expired()) {
          throw e;
        }
      }
    }
  }

  private boolean isTransient(MongoCommandException e) {
    return moving && e.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
  }

  /**
   * A transaction of several statements; an error ends it.
   *
   * @return whether it was committed
   */
  boolean sameTransaction(List<Statement> statements, boolean commits) {
    List<List<String>> wanted;
    try (ClientSession one = clients.single().startSession()) {
      wanted = transaction(clients.single(), one, statements, commits);
    }
    List<List<String>> answers =
        withAttempts(own -> transaction(clients.routed(), own, statements, commits));
    assertThat(answers).as("%s, transaction %s", about, statements).isEqualTo(wanted);
    return wanted.getLast().equals(COMMITTED);
  }

  /** The answers to the statements as far as they go, and the outcome. */
  private List<List<String>> transaction(
      MongoClient client, ClientSession session, List<Statement> statements, boolean commits) {
    var answers = new ArrayList<List<String>>();
    session.startTransaction();
    for (Statement each : statements) {
      List<String> lines = answer(client, Document.parse(each.command()), session);
      answers.add(shown(each.command(), lines, each.ordered()));
      if (isFailed(answers.getLast())) {
        break;
      }
    }
    if (commits && !isFailed(answers.getLast())) {
      answers.add(committed(session));
    } else {
      session.abortTransaction();
      answers.add(List.of("aborted"));
    }
    return answers;
  }

  private List<String> committed(ClientSession session) {
    try {
      session.commitTransaction();
      return COMMITTED;
    } catch (MongoCommandException e) {
      if (isTransient(e)) {
        throw e;
      }
      return List.of("error " + e.getErrorCode());
    }
  }

  private static boolean isFailed(List<String> lines) {
    return lines.stream().anyMatch(line -> line.contains("error"));
  }

  void drop() {
    clients.single().getDatabase(database).drop();
    clients.routed().getDatabase(database).drop();
  }

  private List<String> shown(String command, List<String> lines, boolean ordered) {
    var shown = new ArrayList<>(lines);
    if (collated || (command.startsWith("{aggregate") && command.contains("collation"))) {
      shown.replaceAll(line -> line.toLowerCase(Locale.ROOT).replace('\u00e4', 'a'));
    }
    if (!ordered) {
      shown.sort(null);
    }
    return shown;
  }

  private List<String> answer(MongoClient client, Document command, ClientSession session) {
    boolean bulk = command.containsKey("bulkWrite");
    MongoDatabase asked = client.getDatabase(bulk ? "admin" : database);
    try {
      Document reply = run(asked, command, session);
      // A covered projection has the order of the index, and one of the shard key may serve it.
      boolean fieldsInOrder = !command.containsKey("find") || !command.containsKey("projection");
      return !bulk && reply.get("cursor") instanceof Document cursor
          ? results(asked, cursor, session).stream()
              .map(each -> CanonicalReply.text(fieldsInOrder ? each : new TreeMap<>(each)))
              .toList()
          : CanonicalReply.of(reply);
    } catch (MongoCommandException e) {
      if (session != null && session.hasActiveTransaction() && isTransient(e)) {
        throw e;
      }
      return List.of("error " + e.getErrorCode());
    }
  }

  private static Document run(MongoDatabase asked, Document command, ClientSession session) {
    return session == null ? asked.runCommand(command) : asked.runCommand(session, command);
  }

  private static List<Document> results(
      MongoDatabase database, Document first, ClientSession session) {
    var results = new ArrayList<Document>();
    String collection = first.getString("ns").substring(database.getName().length() + 1);
    Document cursor = first;
    results.addAll(cursor.getList("firstBatch", Document.class));
    while (cursor.getLong("id") != 0) {
      var more = new Document("getMore", cursor.getLong("id")).append("collection", collection);
      cursor = run(database, more, session).get("cursor", Document.class);
      results.addAll(cursor.getList("nextBatch", Document.class));
    }
    return results;
  }
}
