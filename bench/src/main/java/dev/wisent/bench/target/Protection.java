package dev.wisent.bench.target;

import dev.wisent.bench.access.ServerCertificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a server of ours wants logins, and whether it encrypts. */
enum Protection {
  NONE(false, false, ""),
  LOGINS(true, false, ", access control on"),
  TLS(false, true, ", TLS"),
  TLS_AND_LOGINS(true, true, ", TLS, access control on");

  private final boolean logins;
  private final boolean encrypts;
  private final String description;

  Protection(boolean logins, boolean encrypts, String description) {
    this.logins = logins;
    this.encrypts = encrypts;
    this.description = description;
  }

  boolean wantsLogins() {
    return logins;
  }

  boolean encrypts() {
    return encrypts;
  }

  String description() {
    return description;
  }

  /** What the server is started with. */
  List<String> flags(Optional<ServerCertificate> certificate) {
    List<String> flags = new ArrayList<>();
    if (logins) {
      flags.add("--auth");
    }
    certificate.ifPresent(
        own -> {
          flags.addAll(List.of("--tlsMode", "requireTLS"));
          flags.addAll(List.of("--tlsCertificateKeyFile", own.file().toString()));
          flags.addAll(List.of("--tlsCAFile", own.file().toString()));
          flags.add("--tlsAllowConnectionsWithoutCertificates");
        });
    return flags;
  }
}
