package dev.wisent.server.access;

import dev.wisent.security.tls.TlsContexts;
import dev.wisent.security.tls.TlsState;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.client.TransportSecurity;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Encrypts connections to other nodes, where the mode says so. */
public final class MemberTls implements TransportSecurity {
  private final TlsState tls;

  public MemberTls(TlsState tls) {
    this.tls = tls;
  }

  @Override
  public Socket secure(Socket connected, HostAndPort host) throws IOException {
    Optional<TlsContexts> contexts = tls.contexts();
    if (contexts.isEmpty() || !tls.mode().encryptsOutgoing()) {
      return connected;
    }
    var socket =
        (SSLSocket)
            contexts
                .get()
                .member()
                .getSocketFactory()
                .createSocket(connected, host.plainHost(), host.port(), true);
    socket.setSSLParameters(contexts.get().memberParameters());
    try {
      socket.startHandshake();
    } catch (SSLException e) {
      throw new IOException("TLS with " + host + ": " + e.getMessage(), e);
    }
    return socket;
  }
}
