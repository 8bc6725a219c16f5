package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.command.ApiVersions.NO_API;
import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandSpec.of;
import static dev.wisent.server.command.NodeRole.ALL_ROLES;
import static dev.wisent.server.command.NodeRole.STORING_ROLES;
import static dev.wisent.server.command.TransactionUse.NO_TRANSACTION;
import static dev.wisent.server.privilege.Privilege.onCluster;
import static dev.wisent.server.privilege.Privilege.onDatabase;

import dev.wisent.base.log.LogComponent;
import dev.wisent.security.privilege.Action;
import dev.wisent.server.ServerServices;
import dev.wisent.server.command.CommandSpec;
import dev.wisent.server.command.RunsOn;
import dev.wisent.server.profile.ProfileCollection;
import java.util.List;

/** The commands about the node itself. */
public final class DiagnosticTable {
  private DiagnosticTable() {}

  public static List<CommandSpec> all(ServerServices s, CurrentOperations running) {
    var parameters = new ServerParameters(s);
    return List.of(
        serverStatus(new ServerStatusCommand(s)),
        of("currentOp", ADMIN, "what is running", new CurrentOpCommand(running))
            .scope(ALL_ROLES, NO_API, onCluster(Action.INPROG).orOwn(), NO_TRANSACTION)
            .onAdmin()
            .forRelief(),
        of("killOp", ADMIN, "end an operation", new KillOpCommand(s.operations()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.KILLOP).orOwn(), NO_TRANSACTION)
            .onAdmin()
            .forRelief(),
        of("top", ADMIN, "time by collection", new TopCommand(s.metrics().namespaces()))
            .scope(STORING_ROLES, NO_API, onCluster(Action.TOP), NO_TRANSACTION)
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED)
            .onAdmin(),
        of(
                "profile",
                ADMIN,
                "record what commands do",
                new ProfileCommand(
                    s.profiling(),
                    s.stored()
                        .map(
                            store ->
                                new ProfileCollection(
                                    s.database(), store.definitions(), store.store()))
                        .orElse(null),
                    s.log().of(LogComponent.COMMAND)))
            .scope(ALL_ROLES, NO_API, onDatabase(Action.ENABLE_PROFILER), NO_TRANSACTION),
        of("hostInfo", ADMIN, "about the machine", new HostInfoCommand())
            .scope(ALL_ROLES, NO_API, onCluster(Action.HOST_INFO), NO_TRANSACTION),
        of(
                "getCmdLineOpts",
                ADMIN,
                "how the server was started",
                new GetCmdLineOptsCommand(s.options()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.GET_CMD_LINE_OPTS), NO_TRANSACTION)
            .onAdmin(),
        of("getLog", ADMIN, "the last lines of the log", new GetLogCommand(s.log().history()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.GET_LOG), NO_TRANSACTION)
            .onAdmin(),
        of("logRotate", ADMIN, "start a new log file", new LogRotateCommand(s.log(), s.audit()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.LOG_ROTATE), NO_TRANSACTION)
            .onAdmin(),
        of(
                "rotateCertificates",
                ADMIN,
                "read the files of certificates again",
                new RotateCertificatesCommand(s.tls(), s.log().of(LogComponent.NETWORK)))
            .scope(ALL_ROLES, NO_API, onCluster(Action.ROTATE_CERTIFICATES), NO_TRANSACTION)
            .onAdmin(),
        of(
                "logApplicationMessage",
                ADMIN,
                "write a message to the audit log",
                new LogApplicationMessageCommand())
            .scope(ALL_ROLES, NO_API, onCluster(Action.APPLICATION_MESSAGE), NO_TRANSACTION)
            .onAdmin(),
        of("getParameter", ADMIN, "read parameters", new GetParameterCommand(parameters))
            .scope(ALL_ROLES, NO_API, onCluster(Action.GET_PARAMETER), NO_TRANSACTION)
            .onAdmin(),
        of("setParameter", ADMIN, "change parameters", new SetParameterCommand(parameters))
            .scope(ALL_ROLES, NO_API, onCluster(Action.SET_PARAMETER), NO_TRANSACTION)
            .onAdmin()
            .forRelief(),
        of(
                "setFeatureCompatibilityVersion",
                DEFINITION,
                "which version's features are used",
                new FeatureCompatibility())
            .scope(
                ALL_ROLES,
                NO_API,
                onCluster(Action.SET_FEATURE_COMPATIBILITY_VERSION),
                NO_TRANSACTION)
            .onAdmin(),
        of(
                "fsync",
                ADMIN,
                "write everything to disk",
                s.ofStore(store -> new FsyncCommand(store.store())))
            .scope(ALL_ROLES, NO_API, onCluster(Action.FSYNC), NO_TRANSACTION)
            .onAdmin(),
        of(
                "fsyncUnlock",
                ADMIN,
                "allow writes again",
                s.ofStore(store -> new FsyncUnlockCommand(store.store())))
            .scope(ALL_ROLES, NO_API, onCluster(Action.UNLOCK), NO_TRANSACTION)
            .onAdmin(),
        of("shutdown", ADMIN, "end the server", new ShutdownCommand(s.shutdown()))
            .scope(ALL_ROLES, NO_API, onCluster(Action.SHUTDOWN), NO_TRANSACTION)
            .onAdmin()
            .forRelief());
  }

  /** The row of {@code serverStatus}; roles have sections of their own. */
  public static CommandSpec serverStatus(ServerStatusCommand command) {
    return of("serverStatus", ADMIN, "figures of the server", command)
        .scope(ALL_ROLES, NO_API, onCluster(Action.SERVER_STATUS), NO_TRANSACTION)
        .forRelief();
  }
}
