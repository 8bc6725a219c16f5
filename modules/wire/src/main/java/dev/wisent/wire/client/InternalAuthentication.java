package dev.wisent.wire.client;

import dev.wisent.bson.RawDocument;
import dev.wisent.wire.HostAndPort;
import java.io.IOException;

/** Proves to another node that this one belongs to its cluster, before the first command. */
@FunctionalInterface
public interface InternalAuthentication {
  InternalAuthentication NONE = (host, exchange) -> {};

  /** One command of the conversation; the command names its {@code $db}. */
  @FunctionalInterface
  interface Exchange {
    RawDocument send(RawDocument command) throws IOException;
  }

  /**
   * @throws IOException if the other node refuses; the connection is closed then
   */
  void authenticate(HostAndPort host, Exchange exchange) throws IOException;
}
