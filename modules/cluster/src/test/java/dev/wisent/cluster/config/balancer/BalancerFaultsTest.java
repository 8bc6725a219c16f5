package dev.wisent.cluster.config.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metadata of one collection that cannot be read. */
class BalancerFaultsTest {
  @TempDir Path directory;
  private BalancerCluster cluster;

  @BeforeEach
  void open() {
    cluster = new BalancerCluster(directory, 3);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void breakKey(String name) {
    cluster.collection(name, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.change("collections", name, "{key: {k: 'nonsense'}}");
  }

  @Test
  void aCollectionWithAnUnreadableKeyHoldsUpNoOther() {
    breakKey("db.bad");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2");
    assertThat(cluster.balancer.figures().roundsFailed.get()).isZero();
    assertThat(cluster.balancer.loop().counts().failures()).isZero();
    assertThat(cluster.balancer.figures().skipped.get()).isOne();
    assertThat(cluster.balancer.stalls())
        .singleElement()
        .satisfies(stall -> assertThat(stall.namespace().full()).isEqualTo("db.bad"))
        .satisfies(stall -> assertThat(stall.violation()).isEqualTo("unusableMetadata"));
    cluster.change("collections", "db.bad", "{key: {k: 1}}");
    cluster.runRounds();
    assertThat(cluster.owners("db.bad")).contains("s1").contains("s2");
    assertThat(cluster.balancer.figures().skipped.get()).isZero();
    assertThat(cluster.balancer.stalls()).isEmpty();
  }

  @Test
  void aBoundOfOtherFieldsHoldsUpNoOtherCollection() {
    cluster.collection("db.bad", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.setBound("db.bad", 0, "{x: 5}");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2");
    assertThat(cluster.balancer.figures().roundsFailed.get()).isZero();
    assertThat(cluster.balancer.loop().counts().failures()).isZero();
  }

  /** It is defragmented: that reads its chunks as well. */
  @Test
  void defragmentationOfSuchACollectionHoldsUpNoOther() {
    breakKey("db.bad");
    cluster.change("collections", "db.bad", "{defragmentCollection: true}");
    cluster.collection("db.c", 0, 0, 0, 0, 0, 0, 0, 0, 0);
    cluster.start();
    cluster.runRounds();
    assertThat(cluster.owners("db.c")).contains("s1").contains("s2");
  }

  @Test
  void zonesThatDoNotFitTheKeyAreTold() {
    cluster.collection("db.c", 0, 1, 2);
    cluster.change("shards", "s2", "{tags: ['far']}");
    cluster.put("tags", "{_id: 1, ns: 'db.c', min: {x: 10}, max: {x: 20}, tag: 'far'}");
    cluster.start();
    cluster.runRound();
    assertThat(cluster.balancer.stalls())
        .singleElement()
        .satisfies(stall -> assertThat(stall.message()).contains("far"));
  }
}
