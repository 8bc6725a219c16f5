package dev.wisent.cli;

import dev.wisent.base.CommandException;
import dev.wisent.base.RandomSource;
import dev.wisent.security.keyfile.KeyFile;
import dev.wisent.security.tls.TlsException;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsState;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.MemberConnections;
import dev.wisent.server.authentication.MemberLogin;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the processes of a local cluster know each other and encrypt what they say.
 *
 * @param keyFile by which they log in to each other, and {@code wisent cluster} to them
 * @param tlsFlags with their values, for every process
 */
record ClusterSecurity(Optional<String> keyFile, List<String> tlsFlags) {
  static final ClusterSecurity NONE = new ClusterSecurity(Optional.empty(), List.of());

  static final String USAGE =
      """
        --keyFile FILE               the keys by which the processes know each other; clients need
                                     users then
        --tlsMode MODE               encrypt connections: disabled, allowTLS, preferTLS or
                                     requireTLS
        --tlsCertificateKeyFile FILE PEM file with a certificate for localhost and its key
        --tlsCAFile FILE             PEM file with those that sign certificates
      """;

  private static final String KEY_FILE = ServerFlag.KEY_FILE.displayName();
  private static final List<String> TLS_FLAGS =
      List.of(
          ServerFlag.TLS_MODE.displayName(),
          ServerFlag.TLS_CERTIFICATE_KEY_FILE.displayName(),
          ServerFlag.TLS_CA_FILE.displayName());

  ClusterSecurity {
    tlsFlags = List.copyOf(tlsFlags);
  }

  /** Whether a flag of {@code wisent cluster} is about this. */
  static boolean has(String flag) {
    return flag.equals(KEY_FILE) || TLS_FLAGS.contains(flag);
  }

  /** Of values by flag; fails if servers would refuse them. */
  static ClusterSecurity of(Map<String, String> values) throws StartException {
    List<String> tls = new ArrayList<>();
    for (String flag : TLS_FLAGS) {
      if (values.containsKey(flag)) {
        tls.addAll(List.of(flag, values.get(flag)));
      }
    }
    var security = new ClusterSecurity(Optional.ofNullable(values.get(KEY_FILE)), tls);
    security.parsed();
    return security;
  }

  /** For every process. */
  List<String> flags() {
    List<String> flags = new ArrayList<>();
    keyFile.ifPresent(file -> flags.addAll(List.of(KEY_FILE, file)));
    flags.addAll(tlsFlags);
    return flags;
  }

  /** As servers understand the flags. */
  private SecuritySettings parsed() throws StartException {
    return SecuritySettings.of(Program.SERVER, Flags.parse(Program.SERVER, flags()));
  }

  /** Whether clients that encrypt nothing are refused. */
  boolean requiresTls() throws StartException {
    return parsed().tls().mode() == TlsOptions.Mode.REQUIRE;
  }

  /** How {@code wisent cluster} calls its processes: as they call each other. */
  MemberConnections connections(RandomSource random) throws StartException {
    SecuritySettings settings = parsed();
    AccessOptions access = settings.access();
    try {
      List<String> keys = access.keyFile().map(KeyFile::read).orElse(List.<String>of());
      return new MemberConnections(
          TlsState.open(settings.tls()), MemberLogin.of(access, keys, random));
    } catch (CommandException | TlsException e) {
      throw new StartException(ExitCode.BAD_OPTIONS, e.getMessage(), e);
    }
  }
}
