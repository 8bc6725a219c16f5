package dev.wisent.server.command.diagnostic;

import static dev.wisent.server.command.CommandKind.ADMIN;
import static dev.wisent.server.command.CommandKind.DEFINITION;
import static dev.wisent.server.command.CommandSpec.of;

import dev.wisent.base.log.LogComponent;
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
        of("serverStatus", ADMIN, "figures of the server", new ServerStatusCommand(s)).forRelief(),
        of("currentOp", ADMIN, "what is running", new CurrentOpCommand(running))
            .onAdmin()
            .forRelief(),
        of("killOp", ADMIN, "end an operation", new KillOpCommand(s.operations()))
            .onAdmin()
            .forRelief(),
        of("top", ADMIN, "time by collection", new TopCommand(s.metrics().namespaces()))
            .runsOn(RunsOn.SECONDARY_IF_ALLOWED)
            .onAdmin(),
        of(
            "profile",
            ADMIN,
            "record what commands do",
            new ProfileCommand(
                s.profiling(),
                new ProfileCollection(s.database()),
                s.log().of(LogComponent.COMMAND))),
        of("hostInfo", ADMIN, "about the machine", new HostInfoCommand()),
        of(
                "getCmdLineOpts",
                ADMIN,
                "how the server was started",
                new GetCmdLineOptsCommand(s.options()))
            .onAdmin(),
        of("getLog", ADMIN, "the last lines of the log", new GetLogCommand(s.log().history()))
            .onAdmin(),
        of("logRotate", ADMIN, "start a new log file", new LogRotateCommand(s.log())).onAdmin(),
        of("getParameter", ADMIN, "read parameters", new GetParameterCommand(parameters)).onAdmin(),
        of("setParameter", ADMIN, "change parameters", new SetParameterCommand(parameters))
            .onAdmin()
            .forRelief(),
        of(
                "setFeatureCompatibilityVersion",
                DEFINITION,
                "which version's features are used",
                new FeatureCompatibility())
            .onAdmin(),
        of("fsync", ADMIN, "write everything to disk", new FsyncCommand(s.database())).onAdmin(),
        of("fsyncUnlock", ADMIN, "allow writes again", new FsyncUnlockCommand(s.database()))
            .onAdmin(),
        of("shutdown", ADMIN, "end the server", new ShutdownCommand(s.shutdown()))
            .onAdmin()
            .forRelief());
  }
}
