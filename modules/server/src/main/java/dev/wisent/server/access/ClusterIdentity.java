package dev.wisent.server.access;

import dev.wisent.base.RandomSource;
import dev.wisent.security.scram.ScramCredential;
import dev.wisent.security.scram.ScramMechanism;
import dev.wisent.security.tls.CertificateSubject;
import dev.wisent.server.access.AccessOptions.ClusterAuthMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** By what this server knows other members of its cluster, and they know it. Thread-safe. */
public final class ClusterIdentity {
  private static final int SECRET_BYTES = 32;
  private static final int ITERATIONS = 15_000;

  private final List<String> keys;
  private final ClusterAuthMode mode;
  private final Supplier<Optional<X509Certificate>> certificate;
  private final byte[] secret;
  private final byte[] salt;

  /** Guarded by this. */
  private List<ScramCredential> credentials;

  /**
   * @param keys of the key file; none without one
   * @param certificate this server's own
   */
  public ClusterIdentity(
      List<String> keys,
      ClusterAuthMode mode,
      Supplier<Optional<X509Certificate>> certificate,
      RandomSource random) {
    this.keys = List.copyOf(keys);
    this.mode = mode;
    this.certificate = certificate;
    this.secret =
        keys.isEmpty()
            ? random.nextSecret(SECRET_BYTES)
            : digest("unknown users" + keys.getFirst());
    this.salt = random.nextSecret(ScramMechanism.SHA_256.saltBytes());
  }

  public List<String> keys() {
    return keys;
  }

  /** What salts for users are made from that do not exist. */
  public byte[] secret() {
    return secret.clone();
  }

  /** Whether members may prove themselves by a key. */
  public boolean acceptsKeys() {
    return !keys.isEmpty() && mode != ClusterAuthMode.X509;
  }

  /** Whether members may prove themselves by a certificate. */
  public boolean acceptsCertificates() {
    return mode.acceptsX509();
  }

  /** Whether a certificate is one of a member of this cluster. */
  public boolean isMember(X509Certificate shown) {
    return certificate
        .get()
        .filter(own -> CertificateSubject.isOfSameCluster(own, shown))
        .isPresent();
  }

  /** A credential for each key, all with the same salt. Takes a while for the first time. */
  public synchronized List<ScramCredential> credentials() {
    if (credentials == null) {
      credentials =
          keys.stream()
              .map(key -> ScramCredential.withSalt(ScramMechanism.SHA_256, key, ITERATIONS, salt))
              .toList();
    }
    return credentials;
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
