package dev.wisent.replication.secret;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KeyGenerator;

/**
 * A secret that the members of a set share from its initiation on. It never appears in text.
 *
 * <p>A set that an older version has made gets one later. Its members keep it first, and close the
 * port of the log with it, which is what <em>in force</em> means, when all of them have it.
 */
public final class LogSecret {
  static final int BYTES = 32;

  private final byte[] bytes;
  private final boolean inForce;

  private LogSecret(byte[] bytes, boolean inForce) {
    this.bytes = bytes;
    this.inForce = inForce;
  }

  /**
   * The secret with these bytes.
   *
   * @throws IllegalArgumentException if there are too few or too many
   */
  public static LogSecret of(byte[] bytes, boolean inForce) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("The secret of a log has " + BYTES + " bytes");
    }
    return new LogSecret(bytes.clone(), inForce);
  }

  /** A new one. */
  public static LogSecret create(boolean inForce) {
    try {
      KeyGenerator generator = KeyGenerator.getInstance(Macs.ALGORITHM);
      generator.init(BYTES * 8); // from the strong randomness of the JDK
      return new LogSecret(generator.generateKey().getEncoded(), inForce);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public boolean isInForce() {
    return inForce;
  }

  public LogSecret inForce() {
    return new LogSecret(bytes, true);
  }

  /** Tells secrets apart without giving them away. */
  public String id() {
    byte[] mac = Macs.of(bytes, Macs.text("wisent log secret id"));
    return HexFormat.of().formatHex(Arrays.copyOf(mac, 8));
  }

  /** Whether both have the same bytes. */
  public boolean isSame(LogSecret other) {
    return MessageDigest.isEqual(bytes, other.bytes);
  }

  @Override
  public String toString() {
    return "LogSecret[" + id() + "]";
  }
}
