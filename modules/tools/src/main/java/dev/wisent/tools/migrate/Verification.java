package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/** Compares documents of source and target. Both sides are read by threads of their own. */
final class Verification {
  private static final int CHECKED_EVERY = 512;

  private final Deployment source;
  private final Deployment target;
  private final CatalogSync catalog;
  private final MigrateSettings settings;
  private final Surroundings surroundings;

  Verification(
      Deployment source,
      Deployment target,
      CatalogSync catalog,
      MigrateSettings settings,
      Surroundings surroundings) {
    this.source = source;
    this.target = target;
    this.catalog = catalog;
    this.settings = settings;
    this.surroundings = surroundings;
  }

  /**
   * What was compared.
   *
   * @param differences in words; empty if both sides are equal
   */
  record Result(int collections, long documents, List<String> differences) {}

  private static final class Pair {
    private final CollectionInfo info;
    private final CollectionInfo copy;
    private CollectionDigest before; // written by one task, read after all
    private CollectionDigest after;

    private Pair(CollectionInfo info, CollectionInfo copy) {
      this.info = info;
      this.copy = copy;
    }
  }

  Result run() throws ToolException {
    List<Pair> pairs = new ArrayList<>();
    List<Workers.Task> tasks = new ArrayList<>();
    for (MovedCollection moved : catalog.moved()) {
      var pair = new Pair(catalog.sourceOf(moved.source()), catalog.copyOf(moved));
      pairs.add(pair);
      tasks.add(() -> pair.before = digest(source, pair.info, -1));
      tasks.add(() -> pair.after = digest(target, pair.copy, -1));
    }
    run(tasks);
    var documents = new LongAdder();
    var differences = new ConcurrentLinkedQueue<String>();
    List<Workers.Task> again = new ArrayList<>();
    for (Pair pair : pairs) {
      documents.add(pair.after.count());
      int bucket = pair.before.difference(pair.after);
      if (bucket >= 0) {
        again.add(() -> differences.add(pair.info + ": " + example(pair, bucket)));
      } else if (pair.before.count() != pair.after.count()) {
        differences.add(
            "%s: %d documents in the source, %d in the target"
                .formatted(pair.info, pair.before.count(), pair.after.count()));
      }
    }
    run(again);
    return new Result(pairs.size(), documents.sum(), differences.stream().sorted().toList());
  }

  private void run(List<Workers.Task> tasks) throws ToolException {
    if (!tasks.isEmpty()) {
      Workers.run(surroundings.scheduler(), "verify", 2 * settings.parallel(), tasks);
    }
  }

  private String example(Pair pair, int bucket) throws ToolException {
    CollectionDigest before = digest(source, pair.info, bucket);
    CollectionDigest after = digest(target, pair.copy, bucket);
    return "%s; %d documents in the source, %d in the target"
        .formatted(before.example(after), before.count(), after.count());
  }

  private CollectionDigest digest(Deployment deployment, CollectionInfo info, int watched)
      throws ToolException {
    MongoCollection<RawBsonDocument> collection =
        deployment
            .database(info.database())
            .getCollection(info.name(), RawBsonDocument.class)
            .withReadConcern(
                deployment.kind() == Kind.NODE ? ReadConcern.LOCAL : ReadConcern.MAJORITY);
    try {
      if (!settings.hashes()) {
        var digest = new CollectionDigest(watched);
        digest.count(collection.countDocuments(new BsonDocument()));
        return digest;
      }
      return digest(collection, watched);
    } catch (MongoException e) {
      throw Deployment.failure("cannot compare " + info, e);
    }
  }

  private CollectionDigest digest(MongoCollection<RawBsonDocument> collection, int watched)
      throws ToolException {
    var digest = new CollectionDigest(watched);
    try (MongoCursor<RawBsonDocument> cursor = collection.find().noCursorTimeout(true).cursor()) {
      while (cursor.hasNext()) {
        digest.add(cursor.next());
        if (digest.count() % CHECKED_EVERY == 0) {
          surroundings.interruption().check();
        }
      }
    }
    return digest;
  }
}
