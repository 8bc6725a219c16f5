package dev.wisent.cluster.config.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AutoMergerTest {
  @TempDir Path directory;
  private BalancerCluster cluster;

  @BeforeEach
  void open() {
    cluster = new BalancerCluster(directory, 3);
    cluster.chunkBytes = BalancerCluster.CHUNK / 10;
    cluster.parameters.autoMergerThrottlingMillis(5_000);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void theShardsOfSeveralCollectionsAreMergedInOneRound() {
    for (int i = 0; i < 20; i++) {
      cluster.collection("db.c" + i, 0, 0, 1, 1);
    }
    cluster.start();
    cluster.runRound();
    cluster.advance(Duration.ofHours(1));
    cluster.runRound();
    assertThat(cluster.merged).hasSize(20).doesNotHaveDuplicates();
    assertThat(cluster.merged.stream().map(each -> each.split(" ", 2)[0]).distinct()).hasSize(20);
    cluster.runRound();
    assertThat(cluster.merged).as("the pause of a collection").hasSize(20);
    cluster.advance(Duration.ofSeconds(5));
    cluster.runRound();
    assertThat(cluster.merged).hasSize(40).doesNotHaveDuplicates();
  }

  @Test
  void aLookWaitsForTheEndOfTheOneBefore() {
    cluster.parameters.autoMergerIntervalSeconds(6);
    cluster.collection("db.c", 0, 0, 1, 1, 2, 2);
    cluster.start();
    cluster.advance(Duration.ofHours(1));
    for (int i = 0; i < 4; i++) {
      cluster.advance(Duration.ofSeconds(6));
      cluster.runRound();
    }
    assertThat(cluster.merged).startsWith("db.c on s0 by 5", "db.c on s1 by 5", "db.c on s2 by 5");
  }

  /** Not as late as the next round would be. */
  @Test
  void theNextPieceIsMergedWhenThePauseIsOver() {
    cluster.collection("db.c", 0, 0, 1, 1);
    cluster.start();
    cluster.runRound();
    cluster.advance(Duration.ofHours(1));
    cluster.await("the first", () -> cluster.merged.size() == 1);
    cluster.runRound();
    cluster.advance(Duration.ofSeconds(5));
    cluster.await("the second", () -> cluster.merged.size() == 2);
  }

  @Test
  void whatWaitsIsForgottenWhenMergesAreSwitchedOff() {
    cluster.collection("db.c", 0, 0, 1, 1);
    cluster.start();
    cluster.runRound();
    cluster.advance(Duration.ofHours(1));
    cluster.runRound();
    cluster.change("collections", "db.c", "{enableAutoMerge: false}");
    cluster.advance(Duration.ofSeconds(5));
    cluster.runRound();
    assertThat(cluster.merged).hasSize(1);
  }
}
