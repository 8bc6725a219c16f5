package dev.wisent.tools.migrate;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.command.Workers;
import dev.wisent.tools.connection.Attempts;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.connection.Deployment.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;

/**
 * Compares documents of source and target. Both sides are read by threads of their own. For one
 * thread.
 */
final class Verification {
  private static final int CHECKED_EVERY = 512;

  private final Deployment source;
  private final Deployment target;
  private final CatalogSync catalog;
  private final MigrateSettings settings;
  private final Surroundings surroundings;
  private final Messages messages;
  private final Map<BsonBinary, Compared> compared = new ConcurrentHashMap<>();

  Verification(
      Deployment source,
      Deployment target,
      CatalogSync catalog,
      MigrateSettings settings,
      Surroundings surroundings,
      Messages messages) {
    this.messages = messages;
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

  private record Compared(long documents, Optional<String> difference) {}

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

  /**
   * Compares collections that were changed, and those that were not compared as yet. Of the others
   * the result of before is taken.
   */
  Result run(Set<BsonBinary> changed) throws ToolException {
    compared.keySet().removeAll(changed);
    compared.keySet().removeIf(uuid -> catalog.find(uuid).isEmpty());
    Map<BsonBinary, Pair> pairs = new LinkedHashMap<>();
    List<Workers.Task> tasks = new ArrayList<>();
    for (MovedCollection moved : catalog.moved()) {
      if (compared.containsKey(moved.source())) {
        continue;
      }
      var pair = new Pair(catalog.sourceOf(moved.source()), catalog.copyOf(moved));
      pairs.put(moved.source(), pair);
      tasks.add(() -> pair.before = digest(source, pair.info, -1));
      tasks.add(() -> pair.after = digest(target, pair.copy, -1));
    }
    run(tasks);
    List<Workers.Task> again = new ArrayList<>();
    pairs.forEach((uuid, pair) -> again.add(() -> compared.put(uuid, compare(pair))));
    run(again);
    messages.say(1, "comparison of %d collection(s) is done".formatted(pairs.size()));
    return new Result(
        compared.size(),
        compared.values().stream().mapToLong(Compared::documents).sum(),
        compared.values().stream().flatMap(each -> each.difference().stream()).sorted().toList());
  }

  private Compared compare(Pair pair) throws ToolException {
    int bucket = pair.before.difference(pair.after);
    String difference = null;
    if (bucket >= 0) {
      difference = pair.info + ": " + example(pair, bucket);
    } else if (pair.before.count() != pair.after.count()) {
      difference =
          "%s: %d documents in the source, %d in the target"
              .formatted(pair.info, pair.before.count(), pair.after.count());
    }
    return new Compared(pair.after.count(), Optional.ofNullable(difference));
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
      return Attempts.untilAnswered(surroundings, () -> digest(collection, watched));
    } catch (MongoException e) {
      throw Deployment.failure("cannot compare " + info, e);
    }
  }

  private CollectionDigest digest(MongoCollection<RawBsonDocument> collection, int watched)
      throws ToolException {
    var digest = new CollectionDigest(watched);
    if (!settings.hashes()) {
      digest.count(collection.countDocuments(new BsonDocument()));
      return digest;
    }
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
