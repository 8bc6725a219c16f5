package dev.wisent.conformance.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoCommandException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.bson.Document;

/**
 * Compares the answers to commands on one database of a set and of a cluster.
 *
 * @param collated whether strings of different case are equal: which of them stands for a group
 *     depends on which comes first
 */
record SameAnswers(TwoDeployments clients, String database, String about, boolean collated) {
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
    try (ClientSession own = clients.routed().startSession()) {
      own.startTransaction();
      List<String> lines = answer(clients.routed(), command, own);
      own.commitTransaction();
      return lines;
    }
  }

  /**
   * A transaction of several statements; an error ends it.
   *
   * @return whether it was committed
   */
  boolean sameTransaction(List<Statement> statements, boolean commits) {
    try (ClientSession one = clients.single().startSession();
        ClientSession other = clients.routed().startSession()) {
      one.startTransaction();
      other.startTransaction();
      for (Statement each : statements) {
        Document parsed = Document.parse(each.command());
        List<String> wanted =
            shown(each.command(), answer(clients.single(), parsed, one), each.ordered());
        assertThat(shown(each.command(), answer(clients.routed(), parsed, other), each.ordered()))
            .as("%s, in the transaction %s: %s", about, statements, each.command())
            .isEqualTo(wanted);
        if (isFailed(wanted)) {
          one.abortTransaction();
          other.abortTransaction();
          return false;
        }
      }
      if (commits) {
        String wanted = committed(one);
        assertThat(committed(other)).as("%s, commit of %s", about, statements).isEqualTo(wanted);
      } else {
        one.abortTransaction();
        other.abortTransaction();
      }
      return commits;
    }
  }

  private static String committed(ClientSession session) {
    try {
      session.commitTransaction();
      return "committed";
    } catch (MongoCommandException e) {
      return "error " + e.getErrorCode();
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
