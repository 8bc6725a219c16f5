package dev.wisent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.security.audit.AuditOptions;
import dev.wisent.security.tls.TlsOptions;
import dev.wisent.server.access.AccessOptions;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecuritySettingsTest {
  @TempDir private Path directory;

  private static SecuritySettings parse(String line) throws StartException {
    return parse(Program.SERVER, line);
  }

  private static SecuritySettings parse(Program program, String line) throws StartException {
    List<String> arguments = line.isEmpty() ? List.of() : List.of(line.split(" "));
    return ServerCommand.parse(program, arguments).security();
  }

  @Test
  void everythingIsOpenByDefault() throws StartException {
    SecuritySettings settings = parse("");
    assertThat(settings.access()).isEqualTo(AccessOptions.OPEN);
    assertThat(settings.tls()).isEqualTo(TlsOptions.OFF);
    assertThat(settings.audit()).isEqualTo(AuditOptions.OFF);
    assertThat(settings.redactsClientData()).isFalse();
    assertThat(parse("--noauth").access()).isEqualTo(AccessOptions.OPEN);
  }

  @Test
  void aKeyFileEnablesAccessControl() throws StartException {
    assertThat(parse("--auth").access().authorization()).isTrue();
    AccessOptions access = parse("--replSet a --keyFile k").access();
    assertThat(access.authorization()).isTrue();
    assertThat(access.keyFile()).contains(Path.of("k"));
    assertThat(access.clusterAuthMode()).isEqualTo(ClusterAuthMode.KEY_FILE);
    assertThat(parse(Program.ROUTER, "--configdb c/h:1 --keyFile k").access().authorization())
        .isTrue();
  }

  @Test
  void aTransitionLetsAllIn() throws StartException {
    AccessOptions access = parse("--replSet a --keyFile k --transitionToAuth").access();
    assertThat(access.authorization()).isFalse();
    assertThat(access.transition()).isTrue();
  }

  @Test
  void readsTls() throws StartException {
    TlsOptions tls =
        parse(
                "--tlsMode requireTLS --tlsCertificateKeyFile s.pem"
                    + " --tlsCertificateKeyFilePassword p1 --tlsClusterFile m.pem"
                    + " --tlsClusterPassword p2 --tlsCAFile ca.pem --tlsClusterCAFile cca.pem"
                    + " --tlsCRLFile crl.pem --tlsAllowConnectionsWithoutCertificates"
                    + " --tlsAllowInvalidHostnames --tlsDisabledProtocols TLS1_0,TLS1_2")
            .tls();
    assertThat(tls)
        .isEqualTo(
            TlsOptions.builder(TlsOptions.Mode.REQUIRE)
                .certificate(Path.of("s.pem"), "p1")
                .clusterCertificate(Path.of("m.pem"), "p2")
                .caFile(Path.of("ca.pem"))
                .clusterCaFile(Path.of("cca.pem"))
                .crlFile(Path.of("crl.pem"))
                .connectionsWithoutCertificates(true)
                .invalidHostnames(true)
                .disabledProtocols(Set.of(TlsOptions.Protocol.TLS1_0, TlsOptions.Protocol.TLS1_2))
                .build());
    assertThat(tls.protocols()).containsExactly("TLSv1.3");
    assertThat(tls.toString()).doesNotContain("p1").doesNotContain("p2");
  }

  @Test
  void readsFiles() throws Exception {
    Path file = directory.resolve("wisent.conf");
    Files.writeString(
        file,
        """
        net:
          tls:
            mode: preferTLS
            certificateKeyFile: s.pem
            CAFile: ca.pem
            allowConnectionsWithoutCertificates: true
        security:
          keyFile: k
          clusterAuthMode: sendKeyFile
          redactClientLogData: true
        auditLog:
          destination: file
          format: JSON
          path: audit.json
          filter: '{atype: "createUser"}'
        """);
    SecuritySettings settings =
        ServerCommand.parse(Program.SERVER, List.of("--config", file.toString())).security();
    assertThat(settings.tls().mode()).isEqualTo(TlsOptions.Mode.PREFER);
    assertThat(settings.tls().connectionsWithoutCertificates()).isTrue();
    assertThat(settings.access().clusterAuthMode()).isEqualTo(ClusterAuthMode.SEND_KEY_FILE);
    assertThat(settings.redactsClientData()).isTrue();
    assertThat(settings.audit().path()).contains(Path.of("audit.json"));
    assertThat(settings.audit().filter().orElseThrow().get("atype").asString())
        .isEqualTo("createUser");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--noauth --auth                       | --noauth excludes --auth",
        "--noauth --keyFile k                  | --noauth excludes --auth",
        "--auth --replSet a                    | security.keyFile is required",
        "--transitionToAuth                    | must be used with --keyFile",
        "--clusterAuthMode some                | unsupported value for --clusterAuthMode",
        "--clusterAuthMode x509                | need to enable TLS",
        "--clusterAuthMode x509 --tlsMode allowTLS --tlsCAFile c --tlsCertificateKeyFile s"
            + " | cannot have x.509 cluster authentication in allowTLS mode",
        "--clusterAuthMode sendX509 --tlsMode preferTLS --tlsCAFile c --tlsCertificateKeyFile s"
            + " | needs --keyFile",
        "--tlsMode on                          | unsupported value for --tlsMode",
        "--tlsCAFile x                         | need to enable TLS via the tlsMode flag",
        "--tlsMode requireTLS                  | need --tlsCertificateKeyFile",
        "--tlsMode requireTLS --tlsCertificateKeyFile s | chain of trust",
        "--tlsMode requireTLS --tlsCertificateKeyFile s --tlsCAFile c --tlsClusterPassword p"
            + " | needs --tlsClusterFile",
        "--tlsMode requireTLS --tlsCertificateKeyFile s --tlsCAFile c --tlsDisabledProtocols X"
            + " | unrecognized --tlsDisabledProtocols 'X'",
        "--tlsMode requireTLS --tlsCertificateKeyFile s --tlsCAFile c"
            + " --tlsDisabledProtocols TLS1_2,TLS1_3 | all versions of TLS",
        "--auditPath a                         | need --auditDestination",
        "--auditDestination file               | needs --auditPath",
        "--auditDestination file --auditPath a --auditFormat BSON | is not supported",
        "--auditDestination syslog             | must be file or console",
        "--auditDestination console --auditFilter x | no query in JSON"
      })
  void refusesWhatDoesNotFit(String line, String expected) {
    assertThatThrownBy(() -> parse(line)).hasMessageContaining(expected);
  }

  @Test
  void commandLinesAreShownWithoutPasswords() {
    assertThat(
            ServerStart.shown(
                List.of(
                    "--tlsCertificateKeyFilePassword",
                    "secret",
                    "--tlsClusterPassword=secret",
                    "--port",
                    "1",
                    "--forked")))
        .containsExactly(
            "--tlsCertificateKeyFilePassword",
            "<password>",
            "--tlsClusterPassword=<password>",
            "--port",
            "1");
  }
}
