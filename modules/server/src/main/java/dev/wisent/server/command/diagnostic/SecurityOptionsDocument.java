package dev.wisent.server.command.diagnostic;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.security.audit.AuditOptions;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.security.tls.TlsOptions.CertificateFile;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.access.AccessOptions;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Options about access and encryption as {@code getCmdLineOpts} has them, without passwords. */
final class SecurityOptionsDocument {
  private static final String PASSWORD = "<password>";

  private SecurityOptionsDocument() {}

  /** In the section {@code net}. */
  static void appendTls(TlsOptions tls, BsonBuilder out) {
    if (!tls.isOn()) {
      return;
    }
    out.startDocument("tls").appendString("mode", tls.mode().toString());
    append(tls.certificate(), "certificateKeyFile", "certificateKeyFilePassword", out);
    append(tls.clusterCertificate(), "clusterFile", "clusterPassword", out);
    tls.caFile().ifPresent(file -> out.appendString("CAFile", file.toString()));
    tls.clusterCaFile().ifPresent(file -> out.appendString("clusterCAFile", file.toString()));
    tls.crlFile().ifPresent(file -> out.appendString("CRLFile", file.toString()));
    appendIf(tls.connectionsWithoutCertificates(), "allowConnectionsWithoutCertificates", out);
    appendIf(tls.invalidCertificates(), "allowInvalidCertificates", out);
    appendIf(tls.invalidHostnames(), "allowInvalidHostnames", out);
    if (!tls.disabledProtocols().isEmpty()) {
      out.appendString(
          "disabledProtocols",
          tls.disabledProtocols().stream()
              .sorted()
              .map(TlsOptions.Protocol::name)
              .collect(Collectors.joining(",")));
    }
    out.end();
  }

  private static void append(
      Optional<CertificateFile> file, String name, String passwordName, BsonBuilder out) {
    if (file.isPresent()) {
      out.appendString(name, file.get().path().toString());
      if (file.get().password().isPresent()) {
        out.appendString(passwordName, PASSWORD);
      }
    }
  }

  private static void appendIf(boolean on, String name, BsonBuilder out) {
    if (on) {
      out.appendBoolean(name, true);
    }
  }

  /** The sections {@code security} and {@code auditLog}. */
  static void appendSections(ServerOptions options, BsonBuilder out) {
    AccessOptions access = options.access();
    if (!access.equals(AccessOptions.OPEN) || options.redactsClientData()) {
      out.startDocument("security");
      if (access.authorization()) {
        out.appendString("authorization", "enabled");
      }
      access.keyFile().ifPresent(file -> out.appendString("keyFile", file.toString()));
      if (access.clusterAuthMode() != AccessOptions.ClusterAuthMode.KEY_FILE) {
        out.appendString("clusterAuthMode", access.clusterAuthMode().toString());
      }
      appendIf(access.transition(), "transitionToAuth", out);
      appendIf(options.redactsClientData(), "redactClientLogData", out);
      out.end();
    }
    AuditOptions audit = options.audit();
    if (audit.isOn()) {
      out.startDocument("auditLog");
      out.appendString("destination", audit.destination().name().toLowerCase(Locale.ROOT));
      audit
          .path()
          .ifPresent(
              path -> out.appendString("format", "JSON").appendString("path", path.toString()));
      audit.filter().ifPresent(filter -> out.appendString("filter", filter.toJson()));
      out.end();
    }
  }
}
