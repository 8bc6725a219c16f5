package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.DirectoryTree;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import dev.wisent.testkit.replica.SetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;

/** Three members, and a fourth process that becomes whatever a test needs. */
final class ChangingSet implements AutoCloseable {
  private final AtomicInteger lastId = new AtomicInteger();
  private final Path directory;
  private final ReplicaSetProcesses processes;
  private final Reconfiguration configuration;
  private final Member extra;
  private final MongoClient client;
  private final MongoCollection<Document> collection;

  ChangingSet() throws IOException {
    directory = Files.createTempDirectory("wisent-member-kinds-");
    processes = ReplicaSetProcesses.start(directory, SetOptions.of(3));
    extra = processes.newMember();
    extra.start();
    configuration = new Reconfiguration(processes);
    client = MongoClients.create(processes.uri());
    collection = client.getDatabase("kinds").getCollection("c");
    collection.withWriteConcern(WriteConcern.MAJORITY).insertOne(next());
  }

  ReplicaSetProcesses processes() {
    return processes;
  }

  Reconfiguration configuration() {
    return configuration;
  }

  /** The fourth process, which is in no set between two tests. */
  Member extra() {
    return extra;
  }

  MongoClient client() {
    return client;
  }

  MongoCollection<Document> collection() {
    return collection;
  }

  /** Makes the first three equals again. */
  void threeEquals() {
    for (Member member : processes.members()) {
      if (!member.running()) {
        member.start();
      }
    }
    awaitReadable();
    if (has(extra)) {
      configuration.remove(extra);
    }
    for (Member member : processes.members()) {
      if (member != extra && !has(member)) {
        configuration.add(member, new Document());
      }
    }
    configuration.change(
        config -> {
          for (Document member : config.getList("members", Document.class)) {
            member.append("priority", 1).append("hidden", false).append("votes", 1);
            member.append("secondaryDelaySecs", 0);
          }
        });
    awaitReadable();
    collection
        .withWriteConcern(WriteConcern.W3.withWTimeout(60, TimeUnit.SECONDS))
        .insertOne(next());
  }

  /** Those that are configured and hold data. */
  private void awaitReadable() {
    for (Member member : processes.members()) {
      if (member != extra && has(member)) {
        Eventually.holds(
            "member " + member.id() + " serves reads",
            ReplicaSetProcesses.PATIENCE,
            () -> List.of("PRIMARY", "SECONDARY").contains(state(member)));
      }
    }
  }

  private boolean has(Member member) {
    return configuration.members().stream().anyMatch(each -> each.getInteger("_id") == member.id());
  }

  private String state(Member member) {
    return Reconfiguration.state(processes.awaitPrimary(), member);
  }

  /** One of the three. */
  Member secondary() {
    Member primary = processes.awaitPrimary();
    return processes.members().stream()
        .filter(member -> member != primary && member != extra)
        .findFirst()
        .orElseThrow();
  }

  /** A document that is not there yet. */
  Document next() {
    return new Document("_id", lastId.incrementAndGet());
  }

  static long count(Member member) {
    return member.direct().getDatabase("kinds").getCollection("c").countDocuments();
  }

  static Document find(Member member, Document document) {
    return member.direct().getDatabase("kinds").getCollection("c").find(document).first();
  }

  /** The code that a command is refused with; 0 if it is not. */
  static int codeOf(Member member, Document command) {
    MongoCommandException error =
        catchThrowableOfType(MongoCommandException.class, () -> member.admin(command));
    return error == null ? 0 : error.getErrorCode();
  }

  @Override
  public void close() throws IOException {
    client.close();
    processes.close();
    DirectoryTree.delete(directory);
  }
}
