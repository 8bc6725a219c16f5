package dev.wisent.security.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/** Signs certificates of elliptic curves, which are made in a moment. */
public final class TestAuthority {
  private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
  private static final String ALTERNATIVE_NAMES = "2.5.29.17";
  private static final String BASIC_CONSTRAINTS = "2.5.29.19";

  private final X500Principal name;
  private final KeyPair keys;
  private final X509Certificate certificate;
  private long lastSerial = 1;

  private TestAuthority(String name) throws GeneralSecurityException {
    this.name = new X500Principal(name);
    this.keys = newKeys();
    byte[] constraints = Der.of(Der.SEQUENCE, Der.bool(true));
    this.certificate =
        signed(
            this.name,
            keys,
            Instant.now().minus(Duration.ofDays(1)),
            Instant.now().plus(Duration.ofDays(365)),
            extension(BASIC_CONSTRAINTS, true, constraints));
  }

  public static TestAuthority named(String name) {
    try {
      return new TestAuthority(name);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public X509Certificate certificate() {
    return certificate;
  }

  /** Its certificate, as {@code tlsCAFile} has it. */
  public String pem() {
    return new TestCertificate(certificate, keys.getPrivate()).certificatePem();
  }

  public Path write(Path file) throws IOException {
    return Files.writeString(file, pem());
  }

  /** For a host that is called {@code localhost} and 127.0.0.1. */
  public TestCertificate localhost(String subject) {
    return issue(subject, Duration.ofDays(365), "localhost", "127.0.0.1");
  }

  /**
   * Signs a certificate that began a hundred days ago.
   *
   * @param left how long it is valid from now on; negative for one that has expired
   * @param hosts names and addresses of machines
   */
  public TestCertificate issue(String subject, Duration left, String... hosts) {
    return issue(subject, left, List.of(), hosts);
  }

  /**
   * As the other one.
   *
   * @param more extensions, encoded
   */
  public TestCertificate issue(String subject, Duration left, List<byte[]> more, String... hosts) {
    try {
      KeyPair own = newKeys();
      List<byte[]> extensions = new ArrayList<>(more);
      if (hosts.length > 0) {
        extensions.add(extension(ALTERNATIVE_NAMES, false, names(hosts)));
      }
      X509Certificate made =
          signed(
              new X500Principal(subject),
              own,
              Instant.now().minus(Duration.ofDays(100)),
              Instant.now().plus(left),
              extensions.toArray(byte[][]::new));
      return new TestCertificate(made, own.getPrivate());
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One extension of a certificate. */
  public static byte[] extension(String id, boolean critical, byte[] value) {
    byte[] octets = Der.of(Der.OCTETS, value);
    return critical
        ? Der.of(Der.SEQUENCE, Der.id(id), Der.bool(true), octets)
        : Der.of(Der.SEQUENCE, Der.id(id), octets);
  }

  private static byte[] names(String... hosts) throws IOException {
    byte[][] names = new byte[hosts.length][];
    for (int i = 0; i < hosts.length; i++) {
      boolean address = hosts[i].matches("[0-9.]+|.*:.*");
      names[i] =
          address
              ? Der.of(0x87, InetAddress.getByName(hosts[i]).getAddress())
              : Der.of(0x82, hosts[i].getBytes(StandardCharsets.US_ASCII));
    }
    return Der.of(Der.SEQUENCE, names);
  }

  private X509Certificate signed(
      X500Principal subject, KeyPair of, Instant from, Instant to, byte[]... extensions)
      throws GeneralSecurityException {
    List<byte[]> fields = new ArrayList<>();
    fields.add(Der.of(Der.CONTEXT_0, Der.number(BigInteger.TWO)));
    fields.add(Der.number(BigInteger.valueOf(++lastSerial)));
    fields.add(algorithm());
    fields.add(name.getEncoded());
    fields.add(Der.of(Der.SEQUENCE, Der.time(from), Der.time(to)));
    fields.add(subject.getEncoded());
    fields.add(of.getPublic().getEncoded());
    if (extensions.length > 0) {
      fields.add(Der.of(Der.CONTEXT_3, Der.of(Der.SEQUENCE, extensions)));
    }
    byte[] encoded = signed(Der.of(Der.SEQUENCE, fields.toArray(byte[][]::new)));
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(encoded));
  }

  private byte[] signed(byte[] body) throws GeneralSecurityException {
    PrivateKey key = keys.getPrivate();
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(body);
    return Der.of(Der.SEQUENCE, body, algorithm(), Der.bits(signature.sign()));
  }

  /** A list of certificates that were revoked, as {@code tlsCRLFile} has it. */
  public String revocationList(X509Certificate... revoked) {
    Instant now = Instant.now().minusSeconds(60);
    byte[][] entries = new byte[revoked.length][];
    for (int i = 0; i < revoked.length; i++) {
      entries[i] = Der.of(Der.SEQUENCE, Der.number(revoked[i].getSerialNumber()), Der.time(now));
    }
    List<byte[]> fields = new ArrayList<>();
    fields.add(Der.number(BigInteger.ONE));
    fields.add(algorithm());
    fields.add(name.getEncoded());
    fields.add(Der.time(now));
    fields.add(Der.time(now.plus(Duration.ofDays(30))));
    if (revoked.length > 0) {
      fields.add(Der.of(Der.SEQUENCE, entries));
    }
    try {
      return TestCertificate.pem(
          "X509 CRL", signed(Der.of(Der.SEQUENCE, fields.toArray(byte[][]::new))));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] algorithm() {
    return Der.of(Der.SEQUENCE, Der.id(ECDSA_WITH_SHA256));
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }
}
