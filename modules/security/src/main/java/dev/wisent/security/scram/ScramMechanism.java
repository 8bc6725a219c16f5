package dev.wisent.security.scram;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The mechanisms of SCRAM, the stronger one first. */
public enum ScramMechanism {
  SHA_256("SCRAM-SHA-256", "SHA-256", "HmacSHA256", "PBKDF2WithHmacSHA256", 32),
  SHA_1("SCRAM-SHA-1", "SHA-1", "HmacSHA1", "PBKDF2WithHmacSHA1", 20);

  /** With the number of the block that is derived, a salt fills a block of the hash. */
  private static final int BLOCK_NUMBER_BYTES = 4;

  private final String text;
  private final String hash;
  private final String mac;
  private final String derivation;
  private final int keyBytes;

  ScramMechanism(String text, String hash, String mac, String derivation, int keyBytes) {
    this.text = text;
    this.hash = hash;
    this.mac = mac;
    this.derivation = derivation;
    this.keyBytes = keyBytes;
  }

  public static Optional<ScramMechanism> byName(String name) {
    return Arrays.stream(values()).filter(mechanism -> mechanism.text.equals(name)).findFirst();
  }

  /** The name in commands and in the stored user. */
  @Override
  public String toString() {
    return text;
  }

  /** How long keys are. */
  public int keyBytes() {
    return keyBytes;
  }

  /** How long new salts are. */
  public int saltBytes() {
    return keyBytes - BLOCK_NUMBER_BYTES;
  }

  /** What keys are derived from; with SHA-1 that is MongoDB's digest of name and password. */
  public String prepare(String user, String password) {
    return switch (this) {
      case SHA_1 -> digestedPassword(user, password);
      case SHA_256 -> SaslPrep.prepare(password);
    };
  }

  /** What drivers that digest passwords send in place of one. */
  public static String digestedPassword(String user, String password) {
    byte[] text = (user + ":mongo:" + password).getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(digest("MD5", text));
  }

  byte[] hash(byte[] data) {
    return digest(hash, data);
  }

  byte[] hmac(byte[] key, byte[] data) {
    try {
      var keyed = Mac.getInstance(mac);
      keyed.init(new SecretKeySpec(key, mac));
      return keyed.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  byte[] saltedPassword(String prepared, byte[] salt, int iterationCount) {
    var spec = new PBEKeySpec(prepared.toCharArray(), salt, iterationCount, keyBytes * Byte.SIZE);
    try {
      return SecretKeyFactory.getInstance(derivation).generateSecret(spec).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    } finally {
      spec.clearPassword();
    }
  }

  private static byte[] digest(String algorithm, byte[] data) {
    try {
      return MessageDigest.getInstance(algorithm).digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
