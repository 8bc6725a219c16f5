package dev.wisent.security.tls;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Private keys as PEM files have them: PKCS#8, encrypted or not, and the older forms for RSA
 * (PKCS#1) and elliptic curves (SEC 1), which the JDK reads once PKCS#8 is around them.
 */
final class PrivateKeys {
  private static final int SEQUENCE = 0x30;
  private static final int INTEGER = 0x02;
  private static final int OCTETS = 0x04;

  /** Where SEC 1 names the curve. */
  private static final int PARAMETERS = 0xa0;

  private static final byte[] VERSION_0 = {INTEGER, 1, 0};

  /** The algorithm rsaEncryption, with its parameter NULL. */
  private static final byte[] RSA = {
    SEQUENCE, 13, 6, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 13, 1, 1, 1, 5, 0
  };

  /** The object identifier ecPublicKey. */
  private static final byte[] EC = {6, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

  private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

  private PrivateKeys() {}

  static PrivateKey decode(String label, byte[] der, Optional<String> password)
      throws GeneralSecurityException, IOException {
    return switch (label) {
      case "PRIVATE KEY" -> ofPkcs8(der);
      case "ENCRYPTED PRIVATE KEY" -> ofPkcs8(decrypted(der, password));
      case "RSA PRIVATE KEY" -> ofPkcs8(encode(SEQUENCE, VERSION_0, RSA, encode(OCTETS, der)));
      case "EC PRIVATE KEY" ->
          ofPkcs8(
              encode(SEQUENCE, VERSION_0, encode(SEQUENCE, EC, curve(der)), encode(OCTETS, der)));
      default -> throw new InvalidKeySpecException("a key of the kind " + label);
    };
  }

  private static PrivateKey ofPkcs8(byte[] der) throws GeneralSecurityException {
    for (String algorithm : ALGORITHMS) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(der));
      } catch (InvalidKeySpecException e) {
        // A key of another algorithm.
      }
    }
    throw new InvalidKeySpecException("the private key is neither RSA, EC nor EdDSA");
  }

  private static byte[] decrypted(byte[] der, Optional<String> password)
      throws GeneralSecurityException, IOException {
    if (password.isEmpty()) {
      throw new InvalidKeyException("the private key is encrypted, and no password was given");
    }
    var encrypted = new EncryptedPrivateKeyInfo(der);
    // Of PBES2 only the parameters tell the algorithms.
    String name = encrypted.getAlgName();
    String algorithm =
        name.equals("PBES2") || name.startsWith("1.2.840.113549.1.5.13")
            ? encrypted.getAlgParameters().toString()
            : name;
    try {
      SecretKey key =
          SecretKeyFactory.getInstance(algorithm)
              .generateSecret(new PBEKeySpec(password.get().toCharArray()));
      Cipher cipher = Cipher.getInstance(algorithm);
      cipher.init(Cipher.DECRYPT_MODE, key, encrypted.getAlgParameters());
      return encrypted.getKeySpec(cipher).getEncoded();
    } catch (InvalidKeyException | InvalidKeySpecException e) {
      throw new InvalidKeyException("the password of the private key is wrong", e);
    }
  }

  /** The parameters of a key in SEC 1, which PKCS#8 has beside the key. */
  private static byte[] curve(byte[] der) throws InvalidKeySpecException {
    int at = contentAt(der, 0);
    int end = at + lengthAt(der, 0);
    while (at < end) {
      int content = contentAt(der, at);
      int length = lengthAt(der, at);
      if ((der[at] & 0xff) == PARAMETERS && content + length <= der.length) {
        byte[] curve = new byte[length];
        System.arraycopy(der, content, curve, 0, length);
        return curve;
      }
      at = content + length;
    }
    throw new InvalidKeySpecException("the private key does not name its curve");
  }

  private static int contentAt(byte[] der, int at) throws InvalidKeySpecException {
    check(der, at + 1);
    int first = der[at + 1] & 0xff;
    return at + 2 + (first < 0x80 ? 0 : first & 0x7f);
  }

  private static int lengthAt(byte[] der, int at) throws InvalidKeySpecException {
    check(der, at + 1);
    int first = der[at + 1] & 0xff;
    if (first < 0x80) {
      return first;
    }
    int length = 0;
    for (int i = 0; i < (first & 0x7f); i++) {
      check(der, at + 2 + i);
      length = (length << 8) | (der[at + 2 + i] & 0xff);
    }
    if (length < 0 || length > der.length) {
      throw new InvalidKeySpecException("the private key is damaged");
    }
    return length;
  }

  private static void check(byte[] der, int at) throws InvalidKeySpecException {
    if (at < 0 || at >= der.length) {
      throw new InvalidKeySpecException("the private key is damaged");
    }
  }

  private static byte[] encode(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    var out = new ByteArrayOutputStream();
    out.write(tag);
    if (length < 0x80) {
      out.write(length);
    } else if (length < 0x100) {
      out.write(0x81);
      out.write(length);
    } else {
      out.write(0x82);
      out.write(length >> 8);
      out.write(length);
    }
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
