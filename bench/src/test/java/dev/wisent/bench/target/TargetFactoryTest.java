package dev.wisent.bench.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetFactoryTest {
  @TempDir Path directory;

  @Test
  void splitsListsButNotTheHostsOfAUri() {
    assertThat(TargetFactory.split("wisent, postgres,m=mongodb://a:1,b:2/?x=y,mongodb://c"))
        .containsExactly("wisent", "postgres", "m=mongodb://a:1,b:2/?x=y", "mongodb://c");
  }

  @Test
  void aNodeAndASetAreTwoTargets() throws Exception {
    assertThat(TargetFactory.split("wisent,wisent-set")).containsExactly("wisent", "wisent-set");
    try (Target set = factory().create("wisent-set")) {
      assertThat(set.name()).isEqualTo("wisent-set");
    }
  }

  @Test
  void aShardAndARouterOnShardsAreTwoTargets() throws Exception {
    List<String> names = TargetFactory.split("wisent-cluster,wisent-shard");
    for (String name : names) {
      try (Target target = factory().create(name)) {
        assertThat(target.name()).isEqualTo(name);
      }
    }
  }

  @Test
  void aServerMayWantLoginsAndEncrypt() throws Exception {
    List<String> names = TargetFactory.split("wisent,wisent-auth,wisent-tls,wisent-tls-auth");
    for (String name : names) {
      try (Target target = factory().create(name)) {
        assertThat(target.name()).isEqualTo(name);
      }
    }
  }

  @Test
  void aRouterIsRunByTheCommandThatRunsServers() throws Exception {
    try (Target cluster = factory().create("wisent-cluster")) {
      assertThatThrownBy(cluster::start)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("does not end in server");
    }
  }

  @Test
  void refusesUnknownTargets() {
    assertThatThrownBy(() -> TargetFactory.split("wisent,oracle"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'oracle'");
  }

  @Test
  void refusesTwoTargetsOfOneName() {
    assertThatThrownBy(() -> TargetFactory.split("wisent,wisent=mongodb://127.0.0.1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'wisent'");
  }

  @Test
  void namesRunningServersByTheirHostOrAsAsked() throws Exception {
    assertThat(factory().create("mongodb://user:pw@127.0.0.1:27018/?w=1").name())
        .isEqualTo("127.0.0.1:27018");
    assertThat(factory().create("wisent=mongodb://127.0.0.1:27018").name()).isEqualTo("wisent");
  }

  @Test
  void anAbsentPostgresIsNoFailure() throws Exception {
    Target postgres = factory().create("postgres");
    assertThatThrownBy(postgres::start).isInstanceOf(TargetUnavailableException.class);
    postgres.close();
  }

  @Test
  void encodesAHelloAsOpMsg() {
    byte[] bytes = WireConnection.encode(BsonDocument.parse("{hello: 1, $db: 'admin'}"), 7);
    ByteBuffer message = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(message.getInt()).isEqualTo(bytes.length);
    assertThat(message.getInt()).isEqualTo(7);
    assertThat(message.getInt()).isZero();
    assertThat(message.getInt()).isEqualTo(2013);
    assertThat(message.getInt()).isZero();
    assertThat(message.get()).isZero();
    BsonDocument body = new RawBsonDocument(bytes, 21, bytes.length - 21);
    assertThat(body).isEqualTo(BsonDocument.parse("{hello: 1, $db: 'admin'}"));
  }

  private TargetFactory factory() {
    return new TargetFactory(
        new TargetFactory.Options(List.of("wisent"), Optional.of(directory), 64, 64), directory);
  }
}
