package dev.wisent.bench.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerCertificateTest {
  @TempDir Path directory;

  @Test
  void isOneForThisMachineWithItsKey() throws Exception {
    ServerCertificate certificate = ServerCertificate.create(directory);
    assertThat(certificate.certificate().getSubjectAlternativeNames())
        .extracting(name -> name.get(1).toString())
        .containsExactlyInAnyOrder("localhost", "127.0.0.1");
    assertThat(Files.readString(certificate.file()))
        .contains("-----BEGIN CERTIFICATE-----", "-----BEGIN PRIVATE KEY-----");
    assertThat(directory.toFile().list()).containsExactly("certificate.pem");
  }

  @Test
  void contextsForNewClientsShareNothing() throws IOException {
    Encryption encryption = Encryption.trusting(ServerCertificate.create(directory).certificate());
    assertThat(encryption.shared()).isSameAs(encryption.shared());
    assertThat(encryption.newContext()).isNotSameAs(encryption.newContext());
  }
}
