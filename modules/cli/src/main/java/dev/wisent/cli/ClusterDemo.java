package dev.wisent.cli;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.bson.BsonArray;
import org.bson.BsonDocument;

/** What {@code wisent cluster} sets and fills through a router. */
final class ClusterDemo {
  private static final String DATABASE = "demo";
  private static final String COLLECTION = "posts";
  private static final int DOCUMENTS = 20_000;
  private static final int BATCH = 1_000;
  private static final int USERS = 1_000;
  private static final int TEXT_LENGTH = 200;
  private static final int DUPLICATE_KEY = ErrorCode.DUPLICATE_KEY.code();

  private final ClusterProcess router;

  ClusterDemo(ClusterProcess router) {
    this.router = router;
  }

  /** Sets how large chunks become; a running cluster takes it as well. */
  void chunkSize(int megabytes) throws IOException, StartException {
    run(
        "config",
        "set the size of chunks",
        command -> {
          command.appendString("update", "settings").startArray("updates").startDocument(0);
          command.startDocument("q").appendString("_id", "chunksize").end();
          command.startDocument("u").startDocument("$set").appendInt32("value", megabytes);
          command.end().end().appendBoolean("upsert", true).end().end();
        });
  }

  /** Fills a sharded collection, unless an earlier run has. */
  void fill(BooleanSupplier stopped) throws IOException, StartException {
    run(
        "admin",
        "shard the collection",
        command -> {
          command.appendString("shardCollection", DATABASE + "." + COLLECTION);
          command.startDocument("key").appendString("user", "hashed").end();
        });
    BsonDocument count =
        run(DATABASE, "count", command -> command.appendString("count", COLLECTION));
    int there = count.getNumber("n").intValue();
    for (int from = there - there % BATCH; from < DOCUMENTS; from += BATCH) {
      if (stopped.getAsBoolean()) {
        return;
      }
      int first = from;
      run(DATABASE, "insert documents", command -> insert(command, first));
    }
  }

  private static void insert(BsonBuilder command, int first) {
    String text = "lorem ipsum ".repeat(TEXT_LENGTH).substring(0, TEXT_LENGTH);
    // In order, each change of the shard would be a request of its own.
    command.appendString("insert", COLLECTION).appendBoolean("ordered", false);
    command.startArray("documents");
    for (int i = 0; i < BATCH; i++) {
      int id = first + i;
      command.startDocument(i).appendInt32("_id", id);
      command.appendString("user", "user" + id % USERS);
      command.appendString("month", String.format(Locale.ROOT, "2026-%02d", 1 + id % 12));
      command.appendString("text", text).end();
    }
    command.end();
  }

  private BsonDocument run(String database, String what, Consumer<BsonBuilder> command)
      throws IOException, StartException {
    BsonDocument reply = router.call(database, command);
    if (reply.getNumber("ok").intValue() != 1 || !isComplete(reply)) {
      throw new StartException(ExitCode.ABRUPT, "cannot " + what + ": " + reply.toJson());
    }
    return reply;
  }

  /** Documents that an interrupted run has inserted are no errors. */
  private static boolean isComplete(BsonDocument reply) {
    return reply.getArray("writeErrors", new BsonArray()).stream()
        .allMatch(error -> error.asDocument().getNumber("code").intValue() == DUPLICATE_KEY);
  }

  /** Says what there is to look at. */
  static void show(PrintStream out) {
    out.printf(
        """
          %s.%s has %d documents, sharded by {user: "hashed"}. In mongosh:

            sh.status()
            use %s
            db.%s.find({user: "user17"}).explain().queryPlanner.winningPlan.stage    // one shard
            db.%s.find({month: "2026-04"}).explain().queryPlanner.winningPlan.stage  // all of them
            db.getSiblingDB("config").chunks.find({}, {min: 1, max: 1, shard: 1})

        """
            .replace("\n", "%n"),
        DATABASE,
        COLLECTION,
        DOCUMENTS,
        DATABASE,
        COLLECTION,
        COLLECTION);
  }
}
