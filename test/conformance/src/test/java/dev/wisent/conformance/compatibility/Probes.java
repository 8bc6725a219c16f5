package dev.wisent.conformance.compatibility;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.Document;

/**
 * Asks a server about something by using it. For what has no table of its own, the parser is the
 * table: a name that it knows and dislikes the argument of is there, one that it does not know is
 * not.
 */
final class Probes {
  /** NotImplemented, and the codes for names that are not known. */
  private static final Set<Integer> NOT_THERE =
      Set.of(238, 40324, 168, 31325, 15952, 15999, 17276, 40415, 31082, 115);

  private final MongoClient client;
  private final MongoClient router;
  private final MongoDatabase database;
  private final Map<String, String> commands = new HashMap<>();

  /**
   * @param client of a single node
   * @param router of a cluster, for what only clusters have
   */
  Probes(MongoClient client, MongoClient router) {
    this.client = client;
    this.router = router;
    this.database = client.getDatabase("compatibility_probe");
    for (String[] cells : Checklist.lines("probes")) {
      commands.put(cells[0] + " " + cells[1], cells[2]);
    }
  }

  /** Whether there is something to ask. */
  boolean knows(Checklist.Row row) {
    return commands.containsKey(row.kind() + " " + row.name());
  }

  Status ask(Checklist.Row row) {
    return ask(List.of(commands.get(row.kind() + " " + row.name()).split(" ;; ")));
  }

  Status stage(String name) {
    return ask(List.of("{aggregate: 'p', pipeline: [{'" + name + "': {}}], cursor: {}}"));
  }

  Status expression(String expression) {
    return ask(
        List.of("{aggregate: 'p', pipeline: [{$project: {x: " + expression + "}}], cursor: {}}"));
  }

  Status accumulator(String name) {
    return ask(
        List.of(
            "{aggregate: 'p', pipeline: [{$group: {_id: null, x: {'"
                + name
                + "': '$a'}}}], cursor: {}}"));
  }

  Status window(String name) {
    return ask(
        List.of(
            "{aggregate: 'p', pipeline: [{$setWindowFields: {sortBy: {_id: 1}, output: {x: {'"
                + name
                + "': '$a'}}}}], cursor: {}}"));
  }

  private Status ask(List<String> steps) {
    database.drop();
    database.getCollection("p").insertOne(Document.parse("{_id: 1, a: [1, 2]}"));
    try {
      for (String step : steps) {
        Document command = Document.parse(step);
        Object elsewhere = command.remove("$db");
        MongoClient asking = command.remove("$router") == null ? client : router;
        MongoDatabase asked =
            elsewhere == null ? database : asking.getDatabase(elsewhere.toString());
        if (!accepts(asked.runCommand(command))) {
          return Status.PLANNED;
        }
      }
      return Status.SUPPORTED;
    } catch (MongoCommandException e) {
      boolean unknown = e.getErrorMessage().startsWith("Unrecognized window function");
      return unknown || NOT_THERE.contains(e.getErrorCode()) ? Status.PLANNED : Status.SUPPORTED;
    } finally {
      database.drop();
    }
  }

  private static boolean accepts(Document reply) {
    List<Document> errors = reply.getList("writeErrors", Document.class, List.of());
    return errors.stream().noneMatch(error -> NOT_THERE.contains(error.getInteger("code")));
  }
}
