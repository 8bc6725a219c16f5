package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.log.Log;
import dev.wisent.security.tls.TlsState;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;

/** Warns of a certificate that ends soon, or has ended. */
final class CertificateExpiry {
  private static final int EXPIRED_LOG_ID = 23785;
  private static final int EXPIRES_LOG_ID = 23786;
  private static final Duration WARNED_BEFORE = Duration.ofDays(30);

  private CertificateExpiry() {}

  static void warn(TlsState tls, Clock clock, Log log) {
    Optional<X509Certificate> certificate = tls.serverCertificate();
    if (certificate.isEmpty()) {
      return;
    }
    long expires = certificate.get().getNotAfter().getTime();
    long left = expires - clock.wallMillis();
    if (left <= 0) {
      log.startupWarning(
          EXPIRED_LOG_ID,
          "Server certificate has expired",
          "certExpiration",
          certificate.get().getNotAfter().toInstant().toString());
    } else if (left <= WARNED_BEFORE.toMillis()) {
      log.startupWarning(
          EXPIRES_LOG_ID,
          "Server certificate will expire soon",
          "certExpiration",
          certificate.get().getNotAfter().toInstant().toString(),
          "validDuration",
          Duration.ofMillis(left).toDays() + " days");
    }
  }
}
