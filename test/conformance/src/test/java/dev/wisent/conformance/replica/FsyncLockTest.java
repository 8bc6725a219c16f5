package dev.wisent.conformance.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.wisent.testkit.Eventually;
import dev.wisent.testkit.replica.Member;
import dev.wisent.testkit.replica.ReplicaSetProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The backup of a secondary: lock it, copy its files, unlock it. */
@ExtendWith(SharedReplicaSet.Extension.class)
class FsyncLockTest {
  private static final int BEFORE = 20;
  private static final int MEANWHILE = 200;

  @Test
  void aLockedSecondaryStaysAsItIsWhileTheSetGoesOn(ReplicaSetProcesses set) throws IOException {
    try (MongoClient client = MongoClients.create(set.uri())) {
      MongoCollection<Document> collection = client.getDatabase("backup").getCollection("c");
      collection.drop();
      insert(collection.withWriteConcern(WriteConcern.W3), 0, BEFORE);
      Member locked = set.secondaries().getFirst();
      assertThat(locked.admin(new Document("fsync", 1).append("lock", true)))
          .containsEntry("lockCount", 1L);
      try {
        Map<String, String> files = files(locked);
        insert(collection.withWriteConcern(WriteConcern.MAJORITY), BEFORE, MEANWHILE);
        assertThatThrownBy(
                () ->
                    collection
                        .withWriteConcern(WriteConcern.W3.withWTimeout(300, TimeUnit.MILLISECONDS))
                        .insertOne(new Document("_id", BEFORE + MEANWHILE)))
            .isInstanceOfSatisfying(
                MongoWriteConcernException.class,
                e -> {
                  assertThat(e.getWriteConcernError().getCode()).isEqualTo(64);
                  assertThat(
                          e.getWriteConcernError().getDetails().getBoolean("wtimeout").getValue())
                      .isTrue();
                });
        assertThat(count(locked)).isEqualTo(BEFORE);
        assertThat(files(locked)).isEqualTo(files);
      } finally {
        assertThat(locked.admin("fsyncUnlock")).containsEntry("lockCount", 0L);
      }
      Eventually.holds(
          "it has caught up",
          ReplicaSetProcesses.PATIENCE,
          () -> count(locked) == BEFORE + MEANWHILE + 1);
      collection.withWriteConcern(WriteConcern.W3).insertOne(new Document());
    }
  }

  private static void insert(MongoCollection<Document> collection, int from, int count) {
    for (int i = 0; i < count; i++) {
      collection.insertOne(new Document("_id", from + i).append("s", "x".repeat(1000)));
    }
  }

  private static long count(Member member) {
    return member
        .direct()
        .getDatabase("backup")
        .getCollection("c")
        .withReadPreference(ReadPreference.secondaryPreferred())
        .countDocuments();
  }

  /** Names, sizes and times of the files of the store; the log beside it goes on growing. */
  private static Map<String, String> files(Member member) throws IOException {
    Path directory = member.options().dbpath();
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> found = Files.walk(directory)) {
      for (Path file : found.filter(Files::isRegularFile).toList()) {
        String name = directory.relativize(file).toString();
        if (!name.startsWith("raft") && !file.getFileName().toString().startsWith("LOG")) {
          files.put(name, Files.size(file) + " " + Files.getLastModifiedTime(file));
        }
      }
    }
    return files;
  }
}
