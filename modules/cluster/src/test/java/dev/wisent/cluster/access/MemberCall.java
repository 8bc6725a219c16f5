package dev.wisent.cluster.access;

import dev.wisent.base.RandomSource;
import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import dev.wisent.server.authentication.MemberLogin;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.NodeClientOptions;
import dev.wisent.wire.client.NodeRequest;
import dev.wisent.wire.client.PooledNodeClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A server as another one sees it. */
final class MemberCall {
  private MemberCall() {}

  /** What a server answers to another one that has some key, or none. */
  static RawDocument status(String host, List<String> keys) {
    BackgroundLoops loops = BackgroundLoops.silent();
    NodeClientOptions options =
        NodeClientOptions.plain("test")
            .withAuthentication(
                MemberLogin.of(
                    new AccessOptions(true, Optional.empty(), ClusterAuthMode.KEY_FILE),
                    keys,
                    RandomSource.system()));
    try (var client = new PooledNodeClient(options, loops.clock(), loops)) {
      return client
          .call(
              HostAndPort.parse(host),
              NodeRequest.of(
                  "admin",
                  new BsonBuilder().appendInt32("connectionStatus", 1).toDocument(),
                  Duration.ofMinutes(1)))
          .join();
    }
  }
}
