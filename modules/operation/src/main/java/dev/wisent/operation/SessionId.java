package dev.wisent.operation;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.UUID;

/** What tells one logical session from another: a UUID, and whose session it is. */
public final class SessionId {
  public static final int UUID_BYTES = 16;

  private static final int DIGEST_BYTES = 32;
  private static final byte OF_MOVES = 'm';
  private static final byte[] NOBODY = {};
  private static final byte[] DIGEST_OF_NOBODY = digest(NOBODY);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final long high;
  private final long low;
  private final byte[] user;

  private SessionId(long high, long low, byte[] user) {
    this.high = high;
    this.low = low;
    this.user = user;
  }

  public static SessionId of(long high, long low) {
    return new SessionId(high, low, NOBODY);
  }

  /** The id in an {@code lsid} that is known to be well formed. */
  public static SessionId of(RawDocument lsid) {
    return of(lsid.get("id"), lsid.get("uid"));
  }

  /** The id of a UUID and the digest of a user, both binary; the latter may be null. */
  public static SessionId of(RawValue id, RawValue uid) {
    UUID uuid = id.asUuid();
    return new SessionId(
        uuid.getMostSignificantBits(),
        uuid.getLeastSignificantBits(),
        uid == null ? NOBODY : userOf(uid));
  }

  private static byte[] userOf(RawValue uid) {
    byte[] user = uid.asBinary();
    return Arrays.equals(user, DIGEST_OF_NOBODY) ? NOBODY : user;
  }

  /** The id that {@link #bytes()} were made from. */
  public static SessionId ofBytes(byte[] bytes, int offset, int length) {
    return new SessionId(
        (long) LONG.get(bytes, offset),
        (long) LONG.get(bytes, offset + Long.BYTES),
        Arrays.copyOfRange(bytes, offset + UUID_BYTES, offset + length));
  }

  /** What {@link #ofBytes} reads. */
  public byte[] bytes() {
    byte[] bytes = new byte[UUID_BYTES + user.length];
    LONG.set(bytes, 0, high);
    LONG.set(bytes, Long.BYTES, low);
    System.arraycopy(user, 0, bytes, UUID_BYTES, user.length);
    return bytes;
  }

  /**
   * The session of the transactions in which a router moves documents between shards for the
   * retryable writes of this one. Its id is not one that a client can have.
   */
  public SessionId ofMoves() {
    byte[] marked = Arrays.copyOf(user, user.length + 1);
    marked[user.length] = OF_MOVES;
    return new SessionId(high, low, marked);
  }

  /** Whether it is one that {@link #ofMoves} returns. */
  public boolean isOfMoves() {
    return user.length % DIGEST_BYTES == 1 && user[user.length - 1] == OF_MOVES;
  }

  /** Whether it says whose session it is. */
  public boolean hasUser() {
    return user.length > 0;
  }

  /** Whether it is a session of the user with this digest. */
  public boolean isOf(byte[] digest) {
    return Arrays.equals(user, Arrays.equals(digest, DIGEST_OF_NOBODY) ? NOBODY : digest);
  }

  /** The session of the same UUID that belongs to the user with this digest. */
  public SessionId withUser(byte[] digest) {
    return new SessionId(
        high, low, Arrays.equals(digest, DIGEST_OF_NOBODY) ? NOBODY : digest.clone());
  }

  public UUID uuid() {
    return new UUID(high, low);
  }

  /** The {@code lsid} as the server shows it: also with whose it is. */
  public RawDocument document() {
    return new BsonBuilder()
        .appendUuid("id", uuid())
        .appendBinary("uid", (byte) 0, user.length == 0 ? DIGEST_OF_NOBODY : user)
        .toDocument();
  }

  private static byte[] digest(byte[] name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SessionId that
        && high == that.high
        && low == that.low
        && Arrays.equals(user, that.user);
  }

  @Override
  public int hashCode() {
    // UUIDs of drivers are random; those that are not still differ somewhere.
    return Long.hashCode(high * 31 + low);
  }

  @Override
  public String toString() {
    return document().toJson();
  }
}
