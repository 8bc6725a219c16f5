package dev.wisent.cli;

import dev.wisent.bson.RawDocument;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsOptions.Protocol;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BSONException;
import org.bson.json.JsonParseException;

/** Who may come in, over which connections, and what is recorded of it. */
record SecuritySettings(
    AccessOptions access, TlsOptions tls, AuditOptions audit, boolean redactsClientData) {
  private static final Set<String> NO_PROTOCOLS = Set.of("none", "noTLS1_0");

  /** Of no use without encryption. */
  static final List<ServerFlag> OF_TLS =
      List.of(
          ServerFlag.TLS_CERTIFICATE_KEY_FILE,
          ServerFlag.TLS_CERTIFICATE_KEY_FILE_PASSWORD,
          ServerFlag.TLS_CLUSTER_FILE,
          ServerFlag.TLS_CLUSTER_PASSWORD,
          ServerFlag.TLS_CA_FILE,
          ServerFlag.TLS_CLUSTER_CA_FILE,
          ServerFlag.TLS_CRL_FILE,
          ServerFlag.TLS_ALLOW_CONNECTIONS_WITHOUT_CERTIFICATES,
          ServerFlag.TLS_ALLOW_INVALID_CERTIFICATES,
          ServerFlag.TLS_ALLOW_INVALID_HOSTNAMES,
          ServerFlag.TLS_DISABLED_PROTOCOLS);

  static SecuritySettings of(Program program, Flags flags) throws StartException {
    TlsOptions tls = tls(flags);
    return new SecuritySettings(
        access(program, flags, tls),
        tls,
        audit(flags),
        flags.on(ServerFlag.REDACT_CLIENT_LOG_DATA));
  }

  private static AccessOptions access(Program program, Flags flags, TlsOptions tls)
      throws StartException {
    Optional<Path> keyFile = flags.text(ServerFlag.KEY_FILE).map(Path::of);
    Optional<String> modeName = flags.text(ServerFlag.CLUSTER_AUTH_MODE);
    ClusterAuthMode mode = ClusterAuthMode.KEY_FILE;
    if (modeName.isPresent()) {
      mode =
          ClusterAuthMode.of(modeName.get())
              .orElseThrow(
                  () ->
                      StartException.badOption(
                          "unsupported value for --clusterAuthMode: "
                              + modeName.get()
                              + "; it is keyFile, sendKeyFile, sendX509 or x509"));
    }
    boolean byCertificate = modeName.isPresent() && mode.acceptsX509();
    checkClusterAuthMode(mode, keyFile, tls);
    boolean transition = flags.on(ServerFlag.TRANSITION_TO_AUTH);
    boolean members = keyFile.isPresent() || byCertificate;
    if (transition && !members) {
      throw StartException.badOption(
          "--transitionToAuth must be used with --keyFile or a --clusterAuthMode with x509");
    }
    boolean authorization = flags.on(ServerFlag.AUTH);
    if (flags.on(ServerFlag.NOAUTH) && (authorization || members)) {
      throw StartException.badOption(
          "--noauth excludes --auth, --keyFile and --clusterAuthMode, which enable access control");
    }
    if (authorization
        && !members
        && (program == Program.ROUTER || flags.text(ServerFlag.REPL_SET).isPresent())) {
      throw StartException.badOption(
          "security.keyFile is required when authorization is enabled with replica sets and"
              + " routers: give --keyFile, or --clusterAuthMode x509");
    }
    return new AccessOptions((authorization || members) && !transition, keyFile, mode, transition);
  }

  private static void checkClusterAuthMode(
      ClusterAuthMode mode, Optional<Path> keyFile, TlsOptions tls) throws StartException {
    if (mode.acceptsX509() && !tls.isOn()) {
      throw StartException.badOption(
          "need to enable TLS with --tlsMode for --clusterAuthMode " + mode);
    }
    boolean sends = mode == ClusterAuthMode.X509 || mode == ClusterAuthMode.SEND_X509;
    if (sends && tls.mode() == TlsOptions.Mode.ALLOW) {
      throw StartException.badOption("cannot have x.509 cluster authentication in allowTLS mode");
    }
    boolean both = mode == ClusterAuthMode.SEND_KEY_FILE || mode == ClusterAuthMode.SEND_X509;
    if (both && keyFile.isEmpty()) {
      throw StartException.badOption("--clusterAuthMode " + mode + " needs --keyFile");
    }
  }

  private static TlsOptions tls(Flags flags) throws StartException {
    Optional<String> modeName = flags.text(ServerFlag.TLS_MODE);
    TlsOptions.Mode mode = TlsOptions.Mode.DISABLED;
    if (modeName.isPresent()) {
      mode =
          TlsOptions.Mode.of(modeName.get())
              .orElseThrow(
                  () ->
                      StartException.badOption(
                          "unsupported value for --tlsMode: "
                              + modeName.get()
                              + "; it is disabled, allowTLS, preferTLS or requireTLS"));
    }
    if (mode == TlsOptions.Mode.DISABLED) {
      for (ServerFlag flag : OF_TLS) {
        if (modeName.isEmpty() && flags.text(flag).isPresent()) {
          throw StartException.badOption(
              flag.displayName() + ": need to enable TLS via the tlsMode flag");
        }
      }
      return TlsOptions.OFF;
    }
    return tls(flags, mode);
  }

  private static TlsOptions tls(Flags flags, TlsOptions.Mode mode) throws StartException {
    Optional<Path> certificate = flags.text(ServerFlag.TLS_CERTIFICATE_KEY_FILE).map(Path::of);
    Optional<Path> cluster = flags.text(ServerFlag.TLS_CLUSTER_FILE).map(Path::of);
    Optional<String> clusterPassword = flags.text(ServerFlag.TLS_CLUSTER_PASSWORD);
    Optional<Path> ca = flags.text(ServerFlag.TLS_CA_FILE).map(Path::of);
    if (certificate.isEmpty()) {
      throw StartException.badOption(
          "need --tlsCertificateKeyFile when TLS is enabled, with --tlsMode " + mode);
    }
    if (ca.isEmpty()) {
      throw StartException.badOption(
          "the use of TLS without specifying a chain of trust is not supported: give --tlsCAFile");
    }
    if (clusterPassword.isPresent() && cluster.isEmpty()) {
      throw StartException.badOption("--tlsClusterPassword needs --tlsClusterFile");
    }
    TlsOptions.Builder options =
        TlsOptions.builder(mode)
            .certificate(
                certificate.get(),
                flags.text(ServerFlag.TLS_CERTIFICATE_KEY_FILE_PASSWORD).orElse(null))
            .caFile(ca.get())
            .connectionsWithoutCertificates(
                flags.on(ServerFlag.TLS_ALLOW_CONNECTIONS_WITHOUT_CERTIFICATES))
            .invalidCertificates(flags.on(ServerFlag.TLS_ALLOW_INVALID_CERTIFICATES))
            .invalidHostnames(flags.on(ServerFlag.TLS_ALLOW_INVALID_HOSTNAMES))
            .disabledProtocols(disabledProtocols(flags));
    cluster.ifPresent(file -> options.clusterCertificate(file, clusterPassword.orElse(null)));
    flags.text(ServerFlag.TLS_CLUSTER_CA_FILE).map(Path::of).ifPresent(options::clusterCaFile);
    flags.text(ServerFlag.TLS_CRL_FILE).map(Path::of).ifPresent(options::crlFile);
    try {
      return options.build();
    } catch (IllegalArgumentException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "--tlsDisabledProtocols: " + e.getMessage(), e);
    }
  }

  private static Set<Protocol> disabledProtocols(Flags flags) throws StartException {
    Set<Protocol> disabled = EnumSet.noneOf(Protocol.class);
    Optional<String> list = flags.text(ServerFlag.TLS_DISABLED_PROTOCOLS);
    if (list.isPresent()) {
      for (String name : list.get().split(",", -1)) {
        if (!NO_PROTOCOLS.contains(name.trim())) {
          disabled.add(
              Protocol.of(name.trim())
                  .orElseThrow(
                      () ->
                          StartException.badOption(
                              "unrecognized --tlsDisabledProtocols '" + name.trim() + "'")));
        }
      }
    }
    return disabled;
  }

  private static AuditOptions audit(Flags flags) throws StartException {
    Optional<String> destination = flags.text(ServerFlag.AUDIT_DESTINATION);
    Optional<String> path = flags.text(ServerFlag.AUDIT_PATH);
    Optional<String> format = flags.text(ServerFlag.AUDIT_FORMAT);
    if (destination.isEmpty()) {
      if (Stream.of(ServerFlag.AUDIT_PATH, ServerFlag.AUDIT_FORMAT, ServerFlag.AUDIT_FILTER)
          .anyMatch(flag -> flags.text(flag).isPresent())) {
        throw StartException.badOption(
            "--auditFormat, --auditPath and --auditFilter need --auditDestination");
      }
      return AuditOptions.OFF;
    }
    Optional<RawDocument> filter = auditFilter(flags);
    return switch (destination.get()) {
      case "file" -> {
        if (path.isEmpty() || format.isEmpty()) {
          throw StartException.badOption(
              "--auditDestination file needs --auditPath and --auditFormat JSON");
        }
        if (!format.get().equals("JSON")) {
          throw StartException.badOption(
              "--auditFormat " + format.get() + " is not supported: it is JSON");
        }
        yield AuditOptions.toFile(Path.of(path.get()), filter);
      }
      case "console" -> {
        if (path.isPresent() || format.isPresent()) {
          throw StartException.badOption(
              "--auditPath and --auditFormat are for --auditDestination file");
        }
        yield AuditOptions.toConsole(filter);
      }
      default ->
          throw StartException.badOption(
              "--auditDestination must be file or console, not '" + destination.get() + "'");
    };
  }

  private static Optional<RawDocument> auditFilter(Flags flags) throws StartException {
    Optional<String> filter = flags.text(ServerFlag.AUDIT_FILTER);
    if (filter.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(RawDocument.parse(filter.get()));
    } catch (BSONException | JsonParseException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, "--auditFilter is no query in JSON: " + e.getMessage(), e);
    }
  }
}
