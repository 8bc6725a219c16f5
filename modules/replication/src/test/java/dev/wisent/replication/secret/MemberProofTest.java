package dev.wisent.replication.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemberProofTest {
  private static final UUID GROUP = UUID.fromString("11111111-2222-4333-8444-555555555555");

  private final LogSecret secret = LogSecret.create(true);

  private static List<byte[]> keys(String... keys) {
    return List.of(keys).stream().map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static boolean accepts(MemberProof checker, MemberProof maker) {
    return checker.isProven(maker.own().certificate());
  }

  @Test
  void theSecretProvesMembershipOfItsGroupAlone() {
    var one = new MemberProof(GROUP, secret, LogKeys.NONE);
    var other = new MemberProof(GROUP, LogSecret.of(secret.bytes(), true), LogKeys.NONE);
    assertThat(accepts(one, other)).isTrue();
    assertThat(accepts(other, one)).isTrue();
    assertThat(one.own().certificate()).isNotEqualTo(other.own().certificate());
    assertThat(accepts(one, new MemberProof(UUID.randomUUID(), secret, LogKeys.NONE))).isFalse();
    assertThat(accepts(one, new MemberProof(GROUP, LogSecret.create(true), LogKeys.NONE)))
        .isFalse();
    var none = new MemberProof(GROUP, null, LogKeys.NONE);
    assertThat(accepts(one, none)).isFalse();
    assertThat(accepts(none, one)).isFalse();
    assertThat(accepts(none, none)).isFalse();
  }

  @Test
  void withKeysTheSecretIsNotEnough() {
    var bare = new MemberProof(GROUP, secret, LogKeys.NONE);
    var keyed = new MemberProof(GROUP, secret, () -> keys("a"));
    assertThat(accepts(keyed, bare)).isFalse();
    assertThat(accepts(bare, keyed)).isFalse();
    assertThat(accepts(keyed, new MemberProof(GROUP, null, () -> keys("b", "a")))).isTrue();
    assertThat(accepts(keyed, new MemberProof(GROUP, secret, () -> keys("b")))).isFalse();
  }

  @Test
  void membersMayGetKeysOneAfterTheOther() {
    var passing =
        new LogKeys() {
          @Override
          public List<byte[]> current() {
            return keys("a");
          }

          @Override
          public boolean acceptsSetSecret() {
            return true;
          }
        };
    var bare = new MemberProof(GROUP, secret, LogKeys.NONE);
    var between = new MemberProof(GROUP, secret, passing);
    var keyed = new MemberProof(GROUP, secret, () -> keys("a"));
    assertThat(accepts(bare, between)).isTrue();
    assertThat(accepts(between, bare)).isTrue();
    assertThat(accepts(keyed, between)).isTrue();
    assertThat(accepts(between, keyed)).isTrue();
  }

  @Test
  void aChangeOfKeysMakesAnotherCertificate() {
    var keys = new AtomicReference<>(keys("a"));
    var proof = new MemberProof(GROUP, null, keys::get);
    X509Certificate before = proof.own().certificate();
    keys.set(keys("a"));
    assertThat(proof.own().certificate()).isSameAs(before);
    keys.set(keys("b"));
    assertThat(proof.isProven(before)).isFalse();
    assertThat(proof.isProven(proof.own().certificate())).isTrue();
  }

  @Test
  void manyKeysFitAndMoreAreNotUsed() {
    String[] many = new String[20];
    for (int i = 0; i < many.length; i++) {
      many[i] = "key" + i;
    }
    var proof = new MemberProof(GROUP, null, () -> keys(many), 1);
    assertThat(accepts(proof, new MemberProof(GROUP, null, () -> keys("key14"), 1))).isTrue();
    assertThat(accepts(proof, new MemberProof(GROUP, null, () -> keys("key15"), 1))).isFalse();
    assertThat(accepts(proof, new MemberProof(GROUP, null, () -> keys("key14"), 2))).isFalse();
  }

  @Test
  void theCertificateIsSignedByItself() throws Exception {
    X509Certificate certificate = new MemberProof(GROUP, secret, LogKeys.NONE).own().certificate();
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity();
    assertThat(certificate.getVersion()).isEqualTo(3);
  }

  @Test
  void encodingsThatAreNoneAreRefused() {
    assertThat(Der.octets(Der.of(Der.OCTET_STRING, new byte[300]))).hasSize(300);
    for (byte[] wrong :
        List.of(
            new byte[0],
            new byte[] {4},
            new byte[] {4, 2, 1},
            new byte[] {4, 0, 1},
            new byte[] {5, 0},
            new byte[] {4, (byte) 0x84, 0, 0, 0, 0},
            new byte[] {4, (byte) 0x82, 0})) {
      assertThat(Der.octets(wrong)).isNull();
    }
    assertThat(Der.uuidIdentifier(BigInteger.valueOf(128))).containsExactly(6, 3, 0x69, 0x81, 0);
  }

  @Test
  void theFileKeepsTheSecretAndItsTextDoesNotShowIt(@TempDir Path directory) throws Exception {
    var file = new SecretFile(directory.resolve("secret"));
    assertThat(file.read()).isEmpty();
    LogSecret waiting = LogSecret.create(false);
    file.write(waiting);
    assertThat(file.read()).hasValueSatisfying(read -> assertThat(read.isSame(waiting)).isTrue());
    assertThat(file.read().orElseThrow().isInForce()).isFalse();
    file.write(waiting.inForce());
    assertThat(file.read().orElseThrow().isInForce()).isTrue();
    assertThat(waiting.toString()).isEqualTo("LogSecret[" + waiting.id() + "]");
    Files.writeString(directory.resolve("secret"), "wisent log secret 1\n?\ntrue\n");
    assertThatThrownBy(file::read).isInstanceOf(IllegalStateException.class).hasNoCause();
    file.delete();
    file.delete();
    assertThat(file.read()).isEmpty();
  }

  @Test
  void aSecretHasItsLength() {
    assertThatThrownBy(() -> LogSecret.of(new byte[31], true))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
