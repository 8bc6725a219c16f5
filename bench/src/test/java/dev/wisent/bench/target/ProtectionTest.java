package dev.wisent.bench.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bench.access.ServerCertificate;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProtectionTest {
  @Test
  void namesTheFlagsOfTheServer() {
    var certificate = Optional.of(new ServerCertificate(Path.of("own.pem"), null));
    assertThat(Protection.NONE.flags(Optional.empty())).isEmpty();
    assertThat(Protection.LOGINS.flags(Optional.empty())).containsExactly("--auth");
    assertThat(Protection.TLS.flags(certificate))
        .containsSequence("--tlsMode", "requireTLS")
        .containsSequence("--tlsCertificateKeyFile", "own.pem")
        .doesNotContain("--auth");
    assertThat(Protection.TLS_AND_LOGINS.flags(certificate)).contains("--auth", "requireTLS");
  }
}
