package dev.wisent.security.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.security.certificate.TestAuthority;
import dev.wisent.security.certificate.TestCertificate;
import dev.wisent.security.tls.TlsOptions.CertificateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemFileTest {
  /** What PKCS#8 puts before a key of RSA with 2048 bits. */
  private static final int PKCS8_BYTES = 26;

  private static final TestAuthority CA = TestAuthority.named("CN=ca");
  private static final TestCertificate SERVER = CA.localhost("CN=server");

  @TempDir private Path directory;

  private CertificateKey read(String text, String password) throws IOException {
    Path file = Files.writeString(directory.resolve("file.pem"), text);
    return CertificateKey.read(new CertificateFile(file, Optional.ofNullable(password)));
  }

  @Test
  void readsKeysInAllForms() throws Exception {
    assertThat(read("some text\n" + SERVER.pem(), null).getPrivateKey("")).isEqualTo(SERVER.key());
    PrivateKey sec1 = read(SERVER.sec1Pem(), null).getPrivateKey("");
    assertThat(((ECPrivateKey) sec1).getS()).isEqualTo(((ECPrivateKey) SERVER.key()).getS());
    assertThat(read(SERVER.encryptedPem("secret"), "secret").getPrivateKey(""))
        .isEqualTo(SERVER.key());
  }

  @Test
  void readsKeysOfRsaInBothForms() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    PrivateKey key = generator.generateKeyPair().getPrivate();
    byte[] pkcs8 = key.getEncoded();
    byte[] pkcs1 = Arrays.copyOfRange(pkcs8, PKCS8_BYTES, pkcs8.length);

    Path file = directory.resolve("key.pem");
    Files.writeString(file, TestCertificate.pem("PRIVATE KEY", pkcs8));
    assertThat(PemFile.read(file).privateKey(Optional.empty())).isEqualTo(key);
    Files.writeString(file, TestCertificate.pem("RSA PRIVATE KEY", pkcs1));
    assertThat(PemFile.read(file).privateKey(Optional.empty())).isEqualTo(key);
  }

  @Test
  void theChainLeadsFromTheCertificateOfTheKey() throws Exception {
    CertificateKey key = read(CA.pem() + SERVER.pem(), null);
    assertThat(key.getCertificateChain("")).containsExactly(SERVER.certificate(), CA.certificate());
  }

  @Test
  void saysWhatIsWrong() throws Exception {
    TestCertificate other = CA.localhost("CN=other");
    assertThatThrownBy(() -> read(SERVER.certificatePem(), null))
        .hasMessageContaining("no private");
    assertThatThrownBy(() -> read("nothing", null)).hasMessageContaining("is no PEM file");
    assertThatThrownBy(() -> read(SERVER.encryptedPem("a"), null))
        .hasMessageContaining("no password was given");
    assertThatThrownBy(() -> read(SERVER.encryptedPem("a"), "b"))
        .hasMessageContaining("password of the private key is wrong");
    assertThatThrownBy(
            () ->
                read(
                    SERVER.certificatePem()
                        + TestCertificate.pem("PRIVATE KEY", other.key().getEncoded()),
                    null))
        .hasMessageContaining("belongs to none of the certificates");
    assertThatThrownBy(() -> read(TestCertificate.pem("EC PRIVATE KEY", new byte[] {48, 3}), null))
        .isInstanceOf(TlsException.class);
    assertThatThrownBy(() -> PemFile.read(directory.resolve("none")))
        .hasMessageContaining("no such file");
    assertThatThrownBy(
            () ->
                read(
                    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128\n\n"
                        + "AAAA\n-----END RSA PRIVATE KEY-----\n",
                    "a"))
        .hasMessageContaining("openssl pkcs8 -topk8");
  }

  @Test
  void badFilesLeaveTheOldOnes() throws Exception {
    Path file = SERVER.write(directory.resolve("server.pem"));
    Path ca = CA.write(directory.resolve("ca.pem"));
    var state =
        TlsState.open(
            TlsOptions.builder(TlsOptions.Mode.REQUIRE).certificate(file, null).caFile(ca).build());

    Files.writeString(file, "garbage");
    assertThatThrownBy(state::rotate).hasMessageContaining("is no PEM file");
    assertThat(state.serverCertificate()).contains(SERVER.certificate());

    TestCertificate next = CA.localhost("CN=next");
    next.write(file);
    state.rotate();
    assertThat(state.serverCertificate()).contains(next.certificate());
  }

  @Test
  void theModeGoesUpStepByStep() throws Exception {
    var state =
        TlsState.open(
            TlsOptions.builder(TlsOptions.Mode.ALLOW)
                .certificate(SERVER.write(directory.resolve("server.pem")), null)
                .caFile(CA.write(directory.resolve("ca.pem")))
                .build());
    assertThat(state.upgrade(TlsOptions.Mode.REQUIRE)).isFalse();
    assertThat(state.upgrade(TlsOptions.Mode.PREFER)).isTrue();
    assertThat(state.upgrade(TlsOptions.Mode.ALLOW)).isFalse();
    assertThat(state.upgrade(TlsOptions.Mode.REQUIRE)).isTrue();
    assertThat(TlsState.off().upgrade(TlsOptions.Mode.ALLOW)).isFalse();
  }
}
