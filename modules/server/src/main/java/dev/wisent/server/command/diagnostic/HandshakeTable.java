package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.ApiVersions.V1;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;

import dev.wisent.base.log.Log;
import dev.wisent.base.log.LogComponent;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ClusterRole;
import dev.wisent.server.ServerServices;
import dev.wisent.server.authentication.AuthenticateCommand;
import dev.wisent.server.authentication.CertificateLogin;
import dev.wisent.server.authentication.ConnectionStatusCommand;
import dev.wisent.server.authentication.HelloLogin;
import dev.wisent.server.authentication.Logins;
import dev.wisent.server.authentication.LogoutCommand;
import dev.wisent.server.authentication.SaslContinueCommand;
import dev.wisent.server.authentication.SaslStartCommand;
import dev.wisent.server.authentication.ScramLogin;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.privilege.Privilege;
import java.util.List;

/** The commands that open a connection and keep sessions. */
public final class HandshakeTable {
  private HandshakeTable() {}

  public static List<CommandSpec> all(ServerServices s) {
    var sessions =
        new SessionCommands(
            s.sessions(), s.cursors(), s.operations(), s.transactions(), s.random());
    Log network = s.log().of(LogComponent.NETWORK);
    ClusterRole role = s.options().clusterRole();
    boolean readOnly = s.stored().flatMap(each -> each.store().readOnly()).isPresent();
    var logins = new Logins(s.access(), s.audit(), s.clock(), s.log().of(LogComponent.ACCESS));
    var scram = new ScramLogin(logins, s.random());
    var authenticate = new AuthenticateCommand(new CertificateLogin(logins));
    var login = new HelloLogin(logins, scram, authenticate);
    return List.of(
        of(
                "hello",
                ADMIN,
                "what the server is",
                new HelloCommand(
                    s.topology(), s.replicaSet(), role, login, network, readOnly, true))
            .scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
        of(
                "isMaster",
                ADMIN,
                "what the server is",
                new HelloCommand(
                    s.topology(), s.replicaSet(), role, login, network, readOnly, false))
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION)
            .alias("ismaster"),
        of("saslStart", ADMIN, "begin a login", new SaslStartCommand(scram))
            .scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
        of("saslContinue", ADMIN, "go on with a login", new SaslContinueCommand(scram))
            .scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
        of("authenticate", ADMIN, "log in by a certificate", authenticate)
            .scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
        of("logout", ADMIN, "end the login", new LogoutCommand(logins))
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION),
        of("ping", ADMIN, "answer", new PingCommand())
            .scope(ALL_ROLES, V1, Privilege.NONE, NO_TRANSACTION),
        of("buildInfo", ADMIN, "versions", new BuildInfoCommand())
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION)
            .alias("buildinfo"),
        of(
                "connectionStatus",
                ADMIN,
                "who is logged in",
                new ConnectionStatusCommand(s.access().users(), s.topology()))
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION),
        of("whatsmyuri", ADMIN, "the client's address", SimpleReplies.whatsMyUri())
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION),
        of("features", ADMIN, "for old clients", SimpleReplies.features())
            .scope(ALL_ROLES, NO_API, Privilege.LOGIN, NO_TRANSACTION),
        of("getLastError", ADMIN, "for old clients", SimpleReplies.getLastError())
            .scope(ALL_ROLES, NO_API, Privilege.NONE, NO_TRANSACTION)
            .alias("getlasterror"),
        of("startSession", ADMIN, "start a session", sessions.start())
            .scope(ALL_ROLES, NO_API, Privilege.LOGIN, NO_TRANSACTION),
        of("refreshSessions", ADMIN, "keep sessions", sessions.refresh())
            .scope(ALL_ROLES, V1, Privilege.LOGIN, NO_TRANSACTION),
        of("endSessions", ADMIN, "end sessions", sessions.end())
            .scope(ALL_ROLES, V1, Privilege.LOGIN, NO_TRANSACTION),
        of("killSessions", ADMIN, "end sessions", sessions.kill())
            .scope(ALL_ROLES, NO_API, onCluster(Action.KILL_ANY_SESSION).orOwn(), NO_TRANSACTION)
            .forRelief(),
        of("killAllSessions", ADMIN, "end all sessions", sessions.killAll())
            .scope(ALL_ROLES, NO_API, onCluster(Action.KILL_ANY_SESSION), NO_TRANSACTION)
            .forRelief(),
        of("killAllSessionsByPattern", ADMIN, "end sessions that fit", sessions.killByPattern())
            .scope(ALL_ROLES, NO_API, onCluster(Action.KILL_ANY_SESSION).orOwn(), NO_TRANSACTION)
            .forRelief());
  }
}
