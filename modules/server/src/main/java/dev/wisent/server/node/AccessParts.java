package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.RandomSource;
import dev.wisent.base.log.LogComponent;
import dev.wisent.base.log.ServerLog;
import dev.wisent.operation.Operations;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.security.tls.TlsContexts;
import dev.wisent.security.tls.TlsException;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessControl;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.ClusterIdentity;
import dev.wisent.server.access.LoginSettings;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.authentication.MemberLogin;
import dev.wisent.server.user.StoredUsers;
import java.util.List;

/**
 * What a server knows of certificates and keys, before it has data.
 *
 * @param cluster proves other members to this server
 * @param members how this server calls other members
 */
record AccessParts(TlsState tls, ClusterIdentity cluster, MemberConnections members) {
  /** Reads the files that the options name. */
  static AccessParts open(ServerOptions options, RandomSource random) {
    TlsState tls = openTls(options);
    List<String> keys = options.access().keyFile().map(KeyFile::read).orElse(List.of());
    var cluster =
        new ClusterIdentity(
            keys,
            options.access().clusterAuthMode(),
            () -> tls.contexts().map(TlsContexts::memberCertificate),
            random);
    var members = new MemberConnections(tls, MemberLogin.of(options.access(), keys, random));
    return new AccessParts(tls, cluster, members);
  }

  private static TlsState openTls(ServerOptions options) {
    try {
      return TlsState.open(options.tls());
    } catch (TlsException e) {
      throw new CommandException(ErrorCode.INVALID_SSL_CONFIGURATION, e.getMessage());
    }
  }

  /** Members that prove themselves ask for logins of clients, too. */
  AccessControl control(
      ServerOptions options, Operations operations, Clock clock, ServerLog serverLog) {
    AccessOptions access = options.access();
    boolean needsLogins =
        access.authorization()
            || access.keyFile().isPresent()
            || access.clusterAuthMode().acceptsX509();
    return new AccessControl(
        needsLogins && !access.transition(),
        new StoredUsers(operations, clock, serverLog.of(LogComponent.ACCESS)),
        LoginSettings.of(options.setParameters()),
        cluster);
  }
}
