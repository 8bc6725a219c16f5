package dev.wisent.replication.secret;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * A certificate that a process makes for itself, with a new key that it never writes down. An
 * extension has the proofs that its maker is a member: codes over the public key. TLS shows that
 * the other end has the private one. Names and times in it mean nothing.
 */
record MemberCertificate(X509Certificate certificate, PrivateKey key) {
  private static final BigInteger EXTENSION =
      new BigInteger("7f0c9a52d1e64b8e9b3a5c1d2e4f6071", 16);
  private static final String EXTENSION_NAME = "2.25." + EXTENSION;

  private static final byte[] ECDSA_WITH_SHA256 =
      Der.of(
          Der.SEQUENCE,
          Der.of(
              Der.OBJECT_IDENTIFIER,
              new byte[] {0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x04, 0x03, 0x02}));

  private static final byte[] NAME =
      Der.of(
          Der.SEQUENCE,
          Der.of(
              Der.SET,
              Der.of(
                  Der.SEQUENCE,
                  Der.of(Der.OBJECT_IDENTIFIER, new byte[] {0x55, 0x04, 0x03}),
                  Der.of(Der.UTF8_STRING, Macs.text("wisent-log")))));

  private static final byte[] FOR_EVER =
      Der.of(
          Der.SEQUENCE,
          Der.of(Der.UTC_TIME, Macs.text("700101000000Z")),
          Der.of(Der.GENERALIZED_TIME, Macs.text("99991231235959Z")));

  /**
   * A new one.
   *
   * @param proofs makes the proofs for a public key
   */
  static MemberCertificate create(Function<PublicKey, List<byte[]>> proofs) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      byte[] content = content(pair.getPublic(), proofs.apply(pair.getPublic()));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(content);
      byte[] encoded =
          Der.of(
              Der.SEQUENCE,
              content,
              ECDSA_WITH_SHA256,
              Der.of(Der.BIT_STRING, new byte[] {0}, signature.sign()));
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(encoded));
      return new MemberCertificate(certificate, pair.getPrivate());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Cannot make a certificate", e);
    }
  }

  private static byte[] content(PublicKey key, List<byte[]> proofs) {
    byte[] value =
        Der.of(
            Der.OCTET_STRING, Der.of(Der.OCTET_STRING, proofs.toArray(new byte[proofs.size()][])));
    byte[] extension = Der.of(Der.SEQUENCE, Der.uuidIdentifier(EXTENSION), value);
    return Der.of(
        Der.SEQUENCE,
        Der.of(Der.tagged(0), Der.of(Der.INTEGER, new byte[] {2})),
        Der.of(Der.INTEGER, new byte[] {1}),
        ECDSA_WITH_SHA256,
        NAME,
        FOR_EVER,
        NAME,
        key.getEncoded(),
        Der.of(Der.tagged(3), Der.of(Der.SEQUENCE, extension)));
  }

  /** The proofs in a certificate of any maker; empty if it has none. */
  static List<byte[]> proofs(X509Certificate certificate) {
    byte[] value = certificate.getExtensionValue(EXTENSION_NAME);
    byte[] inner = value == null ? null : Der.octets(value);
    byte[] codes = inner == null ? null : Der.octets(inner);
    if (codes == null
        || codes.length % Macs.BYTES != 0
        || codes.length > MemberProof.KEYS_MAX * Macs.BYTES) {
      return List.of();
    }
    List<byte[]> proofs = new ArrayList<>();
    for (int from = 0; from < codes.length; from += Macs.BYTES) {
      proofs.add(Arrays.copyOfRange(codes, from, from + Macs.BYTES));
    }
    return proofs;
  }

  @Override
  public String toString() {
    return "MemberCertificate";
  }
}
