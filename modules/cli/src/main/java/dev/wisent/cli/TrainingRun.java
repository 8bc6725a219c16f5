package dev.wisent.cli;

import dev.wisent.bson.BsonBuilder;
import java.io.IOException;
import java.util.List;

/**
 * A short life of a server, from start to stop with some requests in between. The launcher runs it
 * once after a build, with the JVM recording which classes are used and which methods are hot;
 * later starts load that record instead of finding out again.
 */
final class TrainingRun {
  private static final int ROUNDS = 300;
  private static final String DATABASE = "training";
  private static final String COLLECTION = "documents";

  private volatile Exception failure;

  /** Serves {@code directory} for a moment. */
  void run(String directory) throws StartException {
    List<String> flags = List.of("--dbpath", directory, "--port", "0");
    new ServerRun(ServerCommand.parse(flags))
        .run(server -> Thread.ofPlatform().name("client").start(() -> visit(server)));
    if (failure != null) {
      throw new StartException(ExitCode.ABRUPT, "the training failed: " + failure, failure);
    }
  }

  private void visit(RunningServer server) {
    try (CommandConnection connection = CommandConnection.open(server.port())) {
      talk(connection);
    } catch (IOException | RuntimeException e) {
      failure = e;
    } finally {
      server.requestStop();
    }
  }

  private static void talk(CommandConnection connection) throws IOException {
    connection.call(DATABASE, body -> body.appendInt32("hello", 1));
    connection.call(DATABASE, body -> body.appendInt32("ping", 1));
    for (int i = 0; i < ROUNDS; i++) {
      int id = i;
      connection.call(DATABASE, body -> insert(body, id));
      connection.call(DATABASE, body -> find(body, id));
      connection.call(DATABASE, body -> update(body, id));
    }
    connection.call(DATABASE, body -> body.appendInt32("dropDatabase", 1));
  }

  private static void insert(BsonBuilder body, int id) {
    body.appendString("insert", COLLECTION).startArray("documents").startDocument(0);
    body.appendInt32("_id", id).appendString("name", "name " + id).appendInt32("count", 0);
    body.end().end();
  }

  private static void find(BsonBuilder body, int id) {
    body.appendString("find", COLLECTION).startDocument("filter").appendInt32("_id", id).end();
  }

  private static void update(BsonBuilder body, int id) {
    body.appendString("update", COLLECTION).startArray("updates").startDocument(0);
    body.startDocument("q").appendInt32("_id", id).end();
    body.startDocument("u").startDocument("$inc").appendInt32("count", 1).end().end();
    body.end().end();
  }
}
