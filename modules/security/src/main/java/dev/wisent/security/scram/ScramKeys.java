package dev.wisent.security.scram;

import java.nio.charset.StandardCharsets;

/** The keys that a password gives with a salt. The client key is as good as the password. */
public final class ScramKeys {
  private static final byte[] CLIENT_KEY = "Client Key".getBytes(StandardCharsets.UTF_8);
  private static final byte[] SERVER_KEY = "Server Key".getBytes(StandardCharsets.UTF_8);

  final ScramMechanism mechanism;
  final byte[] clientKey;
  final byte[] storedKey;
  final byte[] serverKey;

  private ScramKeys(ScramMechanism mechanism, byte[] saltedPassword) {
    this.mechanism = mechanism;
    this.clientKey = mechanism.hmac(saltedPassword, CLIENT_KEY);
    this.storedKey = mechanism.hash(clientKey);
    this.serverKey = mechanism.hmac(saltedPassword, SERVER_KEY);
  }

  /** Where a client gets its keys from, so that it can keep some. */
  @FunctionalInterface
  public interface Source {
    ScramKeys keys(byte[] salt, int iterationCount);
  }

  /**
   * Takes milliseconds of CPU.
   *
   * @param prepared what {@link ScramMechanism#prepare} makes of a password
   */
  public static ScramKeys derive(
      ScramMechanism mechanism, String prepared, byte[] salt, int iterationCount) {
    return new ScramKeys(mechanism, mechanism.saltedPassword(prepared, salt, iterationCount));
  }
}
