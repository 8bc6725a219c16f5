package dev.wisent.server.dispatch;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.replication.config.ConfigWriter;
import dev.wisent.server.ServerServices;
import java.util.Optional;

/** The configuration of a replica set as it is now. */
final class SetConfigurations {
  private SetConfigurations() {}

  /** Empty for a server that is in no set, or in one that is not initiated. */
  static Optional<RawDocument> of(ServerServices services) {
    return services
        .replicaSet()
        .flatMap(set -> set.config())
        .map(
            config -> {
              var out = new BsonBuilder();
              ConfigWriter.append(out, config);
              return out.toDocument();
            });
  }
}
