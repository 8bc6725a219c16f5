package dev.wisent.replication.secret;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Proves that this process is a member, and checks that of others: a certificate has, for each
 * secret that its maker knows, a code over the certificate's public key. One code that the other
 * end can make as well is enough, so keys can be changed one member at a time.
 */
public final class MemberProof {
  /** More keys are not used. */
  static final int KEYS_MAX = 16;

  /**
   * A code is a hint for guessing: each connection to the port gets one. Key files may have keys of
   * few characters, so a guess has to be expensive.
   */
  private static final int ITERATIONS = 100_000;

  private final UUID group;
  private final LogSecret secret;
  private final LogKeys keys;
  private final int iterations;

  private List<byte[]> known = List.of(); // guarded by this; what the fields below were made from
  private boolean withSecret; // guarded by this; likewise
  private List<byte[]> codeKeys; // guarded by this; null before the first use
  private MemberCertificate own; // guarded by this

  /**
   * The proof for members of one log.
   *
   * @param secret what the set shares; null if it has none
   * @param keys what an administrator has given to its members
   */
  public MemberProof(UUID group, LogSecret secret, LogKeys keys) {
    this(group, secret, keys, ITERATIONS);
  }

  MemberProof(UUID group, LogSecret secret, LogKeys keys, int iterations) {
    this.iterations = iterations;
    this.group = group;
    this.secret = secret;
    this.keys = keys;
  }

  /** Whether the maker of a certificate knows one of the secrets that are accepted now. */
  public boolean isProven(X509Certificate certificate) {
    List<byte[]> proofs = MemberCertificate.proofs(certificate);
    boolean proven = false;
    for (byte[] key : codeKeys()) {
      byte[] expected = code(key, certificate.getPublicKey());
      for (byte[] proof : proofs) {
        proven |= MessageDigest.isEqual(expected, proof);
      }
    }
    return proven;
  }

  /** Does the expensive part before the first connection needs it. */
  public void prepare() {
    own();
  }

  /** The certificate of this process; another one after the keys have changed. */
  synchronized MemberCertificate own() {
    List<byte[]> current = codeKeys();
    if (own == null) {
      own = MemberCertificate.create(key -> current.stream().map(each -> code(each, key)).toList());
    }
    return own;
  }

  private byte[] code(byte[] key, PublicKey publicKey) {
    return Macs.of(key, Macs.text("wisent log member 1\0"), publicKey.getEncoded());
  }

  private synchronized List<byte[]> codeKeys() {
    List<byte[]> now = keys.current();
    boolean secretToo = secret != null && keys.acceptsSetSecret();
    if (codeKeys == null || secretToo != withSecret || !isSame(now, known)) {
      List<byte[]> derived = new ArrayList<>();
      now.stream().limit(KEYS_MAX - 1).map(this::stretched).forEach(derived::add);
      if (secretToo) {
        derived.add(Macs.of(secret.bytes(), Macs.text("wisent log set 1\0" + group)));
      }
      known = now.stream().map(byte[]::clone).toList();
      withSecret = secretToo;
      codeKeys = List.copyOf(derived);
      own = null;
    }
    return codeKeys;
  }

  private byte[] stretched(byte[] key) {
    char[] password = Base64.getEncoder().encodeToString(key).toCharArray();
    var spec =
        new PBEKeySpec(
            password, Macs.text("wisent log keyFile 1\0" + group), iterations, Macs.BYTES * 8);
    try {
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } finally {
      spec.clearPassword();
    }
  }

  private static boolean isSame(List<byte[]> left, List<byte[]> right) {
    boolean same = left.size() == right.size();
    for (int i = 0; same && i < left.size(); i++) {
      same = MessageDigest.isEqual(left.get(i), right.get(i));
    }
    return same;
  }
}
