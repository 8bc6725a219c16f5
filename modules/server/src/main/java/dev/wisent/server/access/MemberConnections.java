package dev.wisent.server.access;

import dev.wisent.security.tls.TlsState;
import dev.wisent.wire.client.InternalAuthentication;
import dev.wisent.wire.client.NodeClientOptions;

/**
 * How this server connects to other nodes of its cluster: encrypted, and logged in as a member.
 *
 * @param tls which connections are encrypted, and by which certificates
 */
public record MemberConnections(TlsState tls, InternalAuthentication authentication) {
  /** Without either. */
  public static final MemberConnections PLAIN =
      new MemberConnections(TlsState.off(), InternalAuthentication.NONE);

  /** For a client of the name. */
  public NodeClientOptions options(String name) {
    return NodeClientOptions.plain(name)
        .withSecurity(new MemberTls(tls))
        .withAuthentication(authentication);
  }
}
