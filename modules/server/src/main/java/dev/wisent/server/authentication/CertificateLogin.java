package dev.wisent.server.authentication;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.security.UserName;
import dev.wisent.security.tls.CertificateSubject;
import dev.wisent.server.access.ClusterIdentity;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.command.CommandContext;
import java.security.cert.X509Certificate;

/** Logins by the certificate of the connection, of users and of members. Thread-safe. */
public final class CertificateLogin {
  private static final String NAME = LoginSettings.X509;

  private final Logins logins;

  public CertificateLogin(Logins logins) {
    this.logins = logins;
  }

  /**
   * Logs in by the certificate that the client has shown.
   *
   * @param claimed the user that the client wants to be; null to leave that to the certificate
   * @return the name of the user
   */
  String login(CommandContext context, String database, String claimed, boolean isSpeculative) {
    context.client().pendingLogin(null);
    logins.counters().received(NAME, isSpeculative);
    if (!database.equals(UserName.EXTERNAL)) {
      throw new CommandException(
          ErrorCode.PROTOCOL_ERROR, "X.509 authentication must always use the $external database.");
    }
    X509Certificate certificate = context.client().peerCertificate().orElse(null);
    String name = certificate == null ? "" : CertificateSubject.userName(certificate);
    var user = new UserName(claimed == null || claimed.isEmpty() ? name : claimed, database);
    var attempt = new LoginAttempt(context, user, NAME, isSpeculative, isSpeculative, null);
    if (certificate == null) {
      throw logins.fail(attempt, "AuthenticationFailed: No verified subject name available");
    }
    if (!user.user().equals(name)) {
      throw logins.fail(
          attempt, "AuthenticationFailed: There is no x.509 client certificate matching the user.");
    }
    ClusterIdentity cluster = logins.access().cluster();
    if (cluster.isMember(certificate)) {
      if (!cluster.acceptsCertificates()) {
        throw logins.fail(
            attempt,
            "AuthenticationFailed: The certificate is one of a member, and clusterAuthMode does not"
                + " let members log in by certificates");
      }
      logins.succeed(attempt, true);
      return name;
    }
    if (!logins.access().logins().mechanisms().contains(NAME)) {
      throw logins.fail(attempt, "BadValue: " + NAME + " authentication is disabled");
    }
    logins.succeed(attempt, false);
    return name;
  }
}
