package dev.wisent.security.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** A certificate with its key. */
public record TestCertificate(X509Certificate certificate, PrivateKey key) {
  /** The certificate alone. */
  public String certificatePem() {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The certificate and its key, as {@code tlsCertificateKeyFile} has them. */
  public String pem() {
    return certificatePem() + pem("PRIVATE KEY", key.getEncoded());
  }

  /** The certificate and its key in SEC 1, OpenSSL's older form. */
  public String sec1Pem() {
    byte[] scalar = ((ECPrivateKey) key).getS().toByteArray();
    byte[] curve = Der.id("1.2.840.10045.3.1.7");
    byte[] sec1 =
        Der.of(
            Der.SEQUENCE,
            Der.number(BigInteger.ONE),
            Der.of(Der.OCTETS, scalar),
            Der.of(Der.CONTEXT_0, curve));
    return certificatePem() + pem("EC PRIVATE KEY", sec1);
  }

  /** The certificate and its key, which a password protects. */
  public String encryptedPem(String password) {
    String algorithm = "PBEWithHmacSHA256AndAES_256";
    try {
      SecretKey secret =
          SecretKeyFactory.getInstance(algorithm)
              .generateSecret(new PBEKeySpec(password.toCharArray()));
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.ENCRYPT_MODE, secret);
      byte[] pbes2 = Der.id("1.2.840.113549.1.5.13");
      byte[] info =
          Der.of(
              Der.SEQUENCE,
              Der.of(Der.SEQUENCE, pbes2, cipher.getParameters().getEncoded()),
              Der.of(Der.OCTETS, cipher.doFinal(key.getEncoded())));
      return certificatePem() + pem("ENCRYPTED PRIVATE KEY", info);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public Path write(Path file) throws IOException {
    return Files.writeString(file, pem());
  }

  public static String pem(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }
}
