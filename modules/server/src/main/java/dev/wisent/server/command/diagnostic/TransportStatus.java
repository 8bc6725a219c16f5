package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.tls.TlsOptions.Protocol;
import dev.wisent.security.tls.TlsState;
import java.security.cert.X509Certificate;
import java.util.Optional;

/** What {@code serverStatus} says of encryption. */
final class TransportStatus {
  private final TlsState tls;

  TransportStatus(TlsState tls) {
    this.tls = tls;
  }

  /** The section {@code transportSecurity}: how many clients came with which version of TLS. */
  void appendConnections(BsonBuilder out) {
    out.appendInt64("1.0", tls.connections(Protocol.TLS1_0));
    out.appendInt64("1.1", tls.connections(Protocol.TLS1_1));
    out.appendInt64("1.2", tls.connections(Protocol.TLS1_2));
    out.appendInt64("1.3", tls.connections(Protocol.TLS1_3));
    out.appendInt64("unknown", 0);
  }

  /** In the section {@code security}. */
  void appendCertificate(BsonBuilder out) {
    Optional<X509Certificate> certificate = tls.serverCertificate();
    if (certificate.isPresent()) {
      out.appendString(
          "SSLServerSubjectName", certificate.get().getSubjectX500Principal().getName());
      out.appendBoolean("SSLServerHasCertificateAuthority", true);
      out.appendDate(
          "SSLServerCertificateExpirationDate", certificate.get().getNotAfter().getTime());
    }
  }
}
