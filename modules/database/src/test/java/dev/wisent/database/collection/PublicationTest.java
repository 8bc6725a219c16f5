package dev.wisent.database.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.LocalDatabase;
import dev.wisent.database.ReplicatedPair;
import dev.wisent.database.TestDatabase;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A collection that another member has made is in the store before it is in the catalog. */
class PublicationTest {
  private static final Namespace OTHER = new Namespace("test", "other");

  @Test
  void whoKnowsThatACollectionIsWrittenFindsIt(@TempDir Path directory) throws Exception {
    try (var pair = new ReplicatedPair(directory, 1)) {
      TestDatabase leader = pair.leader();
      leader.insert("{_id: 1}");
      pair.awaitApplied();
      LocalDatabase follower = pair.follower().database();
      var found = new CompletableFuture<Boolean>();
      Thread reader =
          Thread.ofPlatform()
              .unstarted(
                  () -> {
                    OperationContext.internal(Clock.system())
                        .await(follower.leadership()::awaitPublished);
                    found.complete(follower.catalog().find(OTHER) != null);
                  });
      pair.whenWritten(() -> runUntilItWaits(reader));
      leader.database().changes().create(OTHER, RawDocument.EMPTY, leader.operation());
      assertThat(found.get(60, TimeUnit.SECONDS)).isTrue();
      pair.awaitApplied();
    }
  }

  @Test
  void theOperationEndsTheWait(@TempDir Path directory) throws Exception {
    try (var pair = new ReplicatedPair(directory, 1)) {
      TestDatabase leader = pair.leader();
      leader.insert("{_id: 1}");
      pair.awaitApplied();
      LocalDatabase follower = pair.follower().database();
      OperationContext killed = pair.follower().operation();
      killed.kill(ErrorCode.INTERRUPTED);
      var ended = new CompletableFuture<Throwable>();
      pair.whenWritten(
          () -> {
            if (!ended.isDone()) {
              Thread.ofPlatform()
                  .start(
                      () ->
                          ended.complete(
                              catchThrowable(
                                  () -> killed.await(follower.leadership()::awaitPublished))));
              ended.join();
            }
          });
      leader.database().changes().create(OTHER, RawDocument.EMPTY, leader.operation());
      assertThat(ended.get(60, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
      pair.awaitApplied();
    }
  }

  private static void runUntilItWaits(Thread reader) {
    if (reader.getState() == Thread.State.NEW) {
      reader.start();
      while (reader.isAlive() && reader.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
  }
}
