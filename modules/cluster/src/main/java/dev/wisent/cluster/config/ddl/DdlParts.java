package dev.wisent.cluster.config.ddl;

import dev.wisent.cluster.config.metadata.ClusterMetadata;

/** What coordinators share. */
record DdlParts(CatalogReads catalog, Participants participants) {
  static DdlParts of(ClusterMetadata metadata) {
    return new DdlParts(new CatalogReads(metadata.store()), new Participants(metadata.shards()));
  }
}
