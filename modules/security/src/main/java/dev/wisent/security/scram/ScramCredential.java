package dev.wisent.security.scram;

import dev.wisent.base.RandomSource;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Objects;
import java.util.Optional;

/**
 * What is stored of a password for one mechanism. It tells whether a client has the password, and
 * is not enough to log in. Salt and keys are in base64, as in {@code credentials} of a stored user.
 */
public record ScramCredential(
    ScramMechanism mechanism, int iterationCount, String salt, String storedKey, String serverKey) {
  private static final String ITERATION_COUNT = "iterationCount";
  private static final String SALT = "salt";
  private static final String STORED_KEY = "storedKey";
  private static final String SERVER_KEY = "serverKey";

  /** Fails if salt or keys are not base64 of the right length. */
  public ScramCredential {
    Objects.requireNonNull(mechanism);
    if (iterationCount < 1) {
      throw new IllegalArgumentException("an iteration count of " + iterationCount);
    }
    if (decode(salt).length == 0) {
      throw new IllegalArgumentException("no salt");
    }
    if (decode(storedKey).length != mechanism.keyBytes()
        || decode(serverKey).length != mechanism.keyBytes()) {
      throw new IllegalArgumentException("a key that is not one of " + mechanism);
    }
  }

  /** Of a password as a user gave it, with a new salt. */
  public static ScramCredential create(
      ScramMechanism mechanism,
      String user,
      String password,
      int iterationCount,
      RandomSource random) {
    return ofPrepared(mechanism, mechanism.prepare(user, password), iterationCount, random);
  }

  /**
   * Of a password that the client has prepared ({@code digestPassword: false}), with a new salt.
   */
  public static ScramCredential ofPrepared(
      ScramMechanism mechanism, String prepared, int iterationCount, RandomSource random) {
    byte[] salt = random.nextSecret(mechanism.saltBytes());
    return withSalt(mechanism, prepared, iterationCount, salt);
  }

  public static ScramCredential withSalt(
      ScramMechanism mechanism, String prepared, int iterationCount, byte[] salt) {
    ScramKeys keys = ScramKeys.derive(mechanism, prepared, salt, iterationCount);
    return new ScramCredential(
        mechanism, iterationCount, encode(salt), encode(keys.storedKey), encode(keys.serverKey));
  }

  /**
   * For a user that does not exist: no password fits, and the salt is always the same, so that a
   * client cannot tell it from a user that does.
   *
   * @param secret of this server
   */
  public static ScramCredential ofUnknown(
      ScramMechanism mechanism, String userId, int iterationCount, byte[] secret) {
    byte[] salt = derived(mechanism, secret, SALT, userId);
    return new ScramCredential(
        mechanism,
        iterationCount,
        encode(Arrays.copyOf(salt, mechanism.saltBytes())),
        encode(derived(mechanism, secret, STORED_KEY, userId)),
        encode(derived(mechanism, secret, SERVER_KEY, userId)));
  }

  private static byte[] derived(
      ScramMechanism mechanism, byte[] secret, String purpose, String userId) {
    String text = purpose + '\0' + userId;
    return mechanism.hmac(secret, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Of {@code credentials} of a stored user; empty if it has none for the mechanism. */
  public static Optional<ScramCredential> find(RawDocument credentials, ScramMechanism mechanism) {
    RawValue found = credentials.get(mechanism.toString());
    if (found == null || !found.isDocument()) {
      return Optional.empty();
    }
    return Optional.of(parse(mechanism, found.asDocument()));
  }

  /** Fails with {@link IllegalArgumentException} if it is damaged. */
  public static ScramCredential parse(ScramMechanism mechanism, RawDocument stored) {
    RawValue count = stored.get(ITERATION_COUNT);
    if (count == null || !count.isNumber() || count.type() == ElementType.DECIMAL128) {
      throw new IllegalArgumentException("no iteration count");
    }
    long iterations = count.toLong();
    if (iterations < 1 || iterations > Integer.MAX_VALUE) {
      throw new IllegalArgumentException("an iteration count of " + iterations);
    }
    return new ScramCredential(
        mechanism,
        (int) iterations,
        text(stored, SALT),
        text(stored, STORED_KEY),
        text(stored, SERVER_KEY));
  }

  private static String text(RawDocument stored, String field) {
    RawValue value = stored.get(field);
    if (value == null || !value.isString()) {
      throw new IllegalArgumentException("no " + field);
    }
    return value.asString();
  }

  /** Appends this as the sub-document of its mechanism. */
  public void append(BsonBuilder credentials) {
    credentials
        .startDocument(mechanism.toString())
        .appendInt32(ITERATION_COUNT, iterationCount)
        .appendString(SALT, salt)
        .appendString(STORED_KEY, storedKey)
        .appendString(SERVER_KEY, serverKey)
        .end();
  }

  byte[] storedKeyBytes() {
    return decode(storedKey);
  }

  byte[] serverKeyBytes() {
    return decode(serverKey);
  }

  private static byte[] decode(String base64) {
    return Base64.getDecoder().decode(base64);
  }

  private static String encode(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  /** Without the keys. */
  @Override
  public String toString() {
    return mechanism + " with " + iterationCount + " iterations";
  }
}
