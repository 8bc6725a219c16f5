package dev.wisent.conformance.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerMonitoringMode;
import com.mongodb.connection.ServerType;
import com.mongodb.event.ServerHeartbeatFailedEvent;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerMonitorListener;
import dev.wisent.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class MonitoringTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void streamsHeartbeats(DriverFixture fixture) {
    Heartbeats heartbeats = new Heartbeats();
    try (MongoClient client = connect(fixture, ServerMonitoringMode.STREAM, heartbeats)) {
      client.getDatabase("admin").runCommand(new Document("ping", 1));

      // Awaited means that the server sent it by itself after the heartbeat interval.
      Eventually.holds("three streamed heartbeats", PATIENCE, () -> heartbeats.awaited() >= 3);
      assertThat(heartbeats.failed).isEmpty();
    }
  }

  @Test
  void answersPolledHeartbeats(DriverFixture fixture) {
    Heartbeats heartbeats = new Heartbeats();
    try (MongoClient client = connect(fixture, ServerMonitoringMode.POLL, heartbeats)) {
      client.getDatabase("admin").runCommand(new Document("ping", 1));

      Eventually.holds("three heartbeats", PATIENCE, () -> heartbeats.succeeded.size() >= 3);
      assertThat(heartbeats.awaited()).isZero();
      assertThat(heartbeats.failed).isEmpty();
    }
  }

  @Test
  void looksLikeAStandaloneServer(DriverFixture fixture) {
    fixture.client().getDatabase("admin").runCommand(new Document("ping", 1));

    List<ServerDescription> servers =
        fixture.client().getClusterDescription().getServerDescriptions();

    assertThat(servers).hasSize(1);
    ServerDescription server = servers.getFirst();
    assertThat(server.getType()).isEqualTo(ServerType.STANDALONE);
    assertThat(server.getMaxDocumentSize()).isEqualTo(16 * 1024 * 1024);
    assertThat(server.getMaxWireVersion()).isEqualTo(25);
    assertThat(server.getTopologyVersion()).isNotNull();
    assertThat(server.getLogicalSessionTimeoutMinutes()).isEqualTo(30);
  }

  @Test
  void holdsBackAnAwaitedHelloUntilItsTimeIsUp(DriverFixture fixture) {
    Document first = hello(fixture, new Document("hello", 1));
    long before = System.nanoTime();

    Document second =
        hello(
            fixture,
            new Document("hello", 1)
                .append("topologyVersion", first.get("topologyVersion"))
                .append("maxAwaitTimeMS", 400L));

    long waitedMillis = Duration.ofNanos(System.nanoTime() - before).toMillis();
    assertThat(waitedMillis).isGreaterThanOrEqualTo(350L);
    assertThat(second.get("topologyVersion")).isEqualTo(first.get("topologyVersion"));
  }

  private static Document hello(DriverFixture fixture, Document command) {
    return fixture.client().getDatabase("admin").runCommand(command);
  }

  private static MongoClient connect(
      DriverFixture fixture, ServerMonitoringMode mode, Heartbeats heartbeats) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(fixture.uri()))
            .applyToServerSettings(
                b ->
                    b.heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .minHeartbeatFrequency(100, TimeUnit.MILLISECONDS)
                        .serverMonitoringMode(mode)
                        .addServerMonitorListener(heartbeats))
            .build());
  }

  private static final class Heartbeats implements ServerMonitorListener {
    private final List<ServerHeartbeatSucceededEvent> succeeded = new CopyOnWriteArrayList<>();
    private final List<ServerHeartbeatFailedEvent> failed = new CopyOnWriteArrayList<>();

    @Override
    public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
      succeeded.add(event);
    }

    @Override
    public void serverHeartbeatFailed(ServerHeartbeatFailedEvent event) {
      failed.add(event);
    }

    long awaited() {
      return succeeded.stream().filter(ServerHeartbeatSucceededEvent::isAwaited).count();
    }
  }
}
