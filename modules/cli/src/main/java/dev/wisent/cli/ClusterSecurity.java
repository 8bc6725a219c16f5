package dev.wisent.cli;

import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.security.tls.TlsException;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.authentication.MemberLogin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How the processes of a local cluster know each other and encrypt what they say.
 *
 * @param flags of access control and encryption, for every process
 */
record ClusterSecurity(List<String> flags) {
  static final ClusterSecurity NONE = new ClusterSecurity(List.of());

  private static final List<ServerFlag> PASSED_ON =
      Stream.concat(
              Stream.of(
                  ServerFlag.AUTH,
                  ServerFlag.NOAUTH,
                  ServerFlag.KEY_FILE,
                  ServerFlag.CLUSTER_AUTH_MODE,
                  ServerFlag.TRANSITION_TO_AUTH,
                  ServerFlag.TLS_MODE,
                  ServerFlag.REDACT_CLIENT_LOG_DATA),
              SecuritySettings.OF_TLS.stream())
          .sorted()
          .toList();

  static final String USAGE =
      "\nHow connections are protected; every process gets these:\n"
          + PASSED_ON.stream().map(ServerFlag::usageLine).collect(Collectors.joining())
          + "\n";

  /** What servers of a set require is required of all processes. */
  private static final List<String> OF_SETS = List.of(ServerFlag.REPL_SET.displayName(), "any");

  ClusterSecurity {
    flags = List.copyOf(flags);
  }

  /** The flag of servers that a flag of {@code wisent cluster} is, if it is about this. */
  private static Optional<ServerFlag> find(String name) {
    return ServerFlag.find(Program.SERVER, name).filter(PASSED_ON::contains);
  }

  /** Whether a flag of {@code wisent cluster} is about this. */
  static boolean has(String name) {
    return find(name).isPresent();
  }

  /** Whether a flag is about this and needs no value. */
  static boolean isSwitch(String name) {
    return find(name).filter(flag -> !flag.takesValue()).isPresent();
  }

  /** Of values by flag; fails if servers would refuse them. */
  static ClusterSecurity of(Map<String, String> values) throws StartException {
    List<String> flags = new ArrayList<>();
    for (ServerFlag flag : PASSED_ON) {
      String name = flag.displayName();
      String value = values.get(name);
      if (value != null) {
        flags.addAll(flag.takesValue() ? List.of(name, value) : List.of(name + "=" + value));
      }
    }
    var security = new ClusterSecurity(flags);
    security.parsed();
    return security;
  }

  /** As servers understand the flags. */
  private SecuritySettings parsed() throws StartException {
    List<String> line = new ArrayList<>(flags);
    line.addAll(OF_SETS);
    return SecuritySettings.of(Program.SERVER, Flags.parse(Program.SERVER, line));
  }

  /** Whether clients that encrypt nothing are refused. */
  boolean requiresTls() throws StartException {
    return parsed().tls().isRequired();
  }

  /** Whether clients have to log in. */
  boolean requiresLogins() throws StartException {
    return parsed().access().authorization();
  }

  /** How {@code wisent cluster} calls its processes: as they call each other. */
  MemberConnections connections(RandomSource random) throws StartException {
    SecuritySettings settings = parsed();
    try {
      return MemberLogin.connections(settings.access(), settings.tls(), random);
    } catch (CommandException | TlsException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, e.getMessage(), e);
    }
  }
}
