package dev.wisent.cluster.embedded;

import java.util.List;

/** Servers inside this JVM that are started and closed together. */
public interface EmbeddedServers extends AutoCloseable {
  /** All of them. */
  List<EmbeddedNode> nodes();

  /** Those that clients connect to; one of them takes writes. */
  List<EmbeddedNode> entries();

  @Override
  void close();
}
