package dev.wisent.tools.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoSocketException;
import com.mongodb.ServerAddress;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ClusterType;
import com.mongodb.connection.ServerConnectionState;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every member of a set is tried before one is chosen. */
class MemberDiscoveryTest {
  private static final ClusterDescription NOTHING = cluster();

  private final MemberDiscovery discovery = new MemberDiscovery();

  private static ClusterDescription cluster(ServerDescription... servers) {
    return new ClusterDescription(
        ClusterConnectionMode.MULTIPLE, ClusterType.REPLICA_SET, List.of(servers));
  }

  private static ServerDescription.Builder server(int port, ServerType type) {
    return ServerDescription.builder()
        .address(new ServerAddress("localhost", port))
        .type(type)
        .ok(type != ServerType.UNKNOWN)
        .state(
            type == ServerType.UNKNOWN
                ? ServerConnectionState.CONNECTING
                : ServerConnectionState.CONNECTED);
  }

  private boolean isCompleteWith(ServerDescription... servers) {
    discovery.clusterDescriptionChanged(
        new ClusterDescriptionChangedEvent(new ClusterId(), cluster(servers), NOTHING));
    return discovery.await(0);
  }

  @Test
  void thePrimaryAloneIsNotEnough() {
    ServerDescription primary = server(1, ServerType.REPLICA_SET_PRIMARY).build();
    ServerDescription unknown = server(2, ServerType.UNKNOWN).build();
    assertThat(isCompleteWith()).isFalse();
    assertThat(isCompleteWith(primary, unknown)).isFalse();
    assertThat(isCompleteWith(primary, server(2, ServerType.REPLICA_SET_SECONDARY).build()))
        .isTrue();
  }

  @Test
  void aMemberThatFailsWasTried() {
    ServerDescription primary = server(1, ServerType.REPLICA_SET_PRIMARY).build();
    var failure = new MongoSocketException("refused", new ServerAddress("localhost", 2));
    assertThat(isCompleteWith(primary, server(2, ServerType.UNKNOWN).exception(failure).build()))
        .isTrue();
  }

  @Test
  void membersThatAreHeardOfLaterCount() {
    ServerDescription secondary = server(1, ServerType.REPLICA_SET_SECONDARY).build();
    assertThat(isCompleteWith(secondary)).isTrue();
    assertThat(isCompleteWith(secondary, server(2, ServerType.UNKNOWN).build())).isFalse();
  }
}
