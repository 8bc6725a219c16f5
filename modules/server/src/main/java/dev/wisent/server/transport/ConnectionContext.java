package dev.wisent.server.transport;

import java.security.cert.X509Certificate;
import java.util.Optional;

/** A connection as its handler sees it. Safe for use from any thread. */
public interface ConnectionContext {
  /** 1 for the first connection of this transport, and never used again. */
  long id();

  /** {@code host:port} of the client. */
  String remoteAddress();

  /** {@code host:port} that the client connected to. */
  String localAddress();

  /**
   * False once closed on this side, or once the client was seen to be gone: at once when a write
   * fails, within about a second while a message is being handled.
   */
  boolean isOpen();

  /**
   * Whether the message is served by what is kept for those who look after a node that has no
   * connections or threads left; any other message should be refused.
   */
  boolean isReserved();

  /** By which version of TLS it is encrypted, such as {@code TLSv1.3}; empty if it is not. */
  default Optional<String> tlsProtocol() {
    return Optional.empty();
  }

  /** The certificate that the client has shown, which was verified; empty without one. */
  default Optional<X509Certificate> peerCertificate() {
    return Optional.empty();
  }

  /** A message did what reserved connections are for, so this one is the last to be given up. */
  void administered();

  /** Closes the socket. A message that is being handled runs to its end; its reply is dropped. */
  void close();
}
