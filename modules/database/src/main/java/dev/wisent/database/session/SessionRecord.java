package dev.wisent.database.session;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.SessionId;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What is stored about a session: its newest transaction number, what that is, and of a retryable
 * write the statements done under it.
 *
 * @param lastWriteMillis the wall clock at the last write
 * @param pages how many pages of statements there are beside this
 * @param statements encoded
 */
record SessionRecord(
    long txnNumber, long lastWriteMillis, int pages, byte[] statements, State state) {
  /** Encoded statements larger than this become a page, and are not written again. */
  static final int STATEMENT_BYTES_MAX = 2 << 10;

  static final byte[] KEYS = "retry/".getBytes(StandardCharsets.US_ASCII);

  /** What the newest number is. The ordinals are part of the format. */
  enum State {
    RETRYABLE_WRITE,
    COMMITTED,
    /** For a transaction of several shards whose end must be remembered. */
    ABORTED,
    /** The same, while the end is not known. */
    PREPARED
  }

  private static final byte VERSION_OF_WRITES = 1;

  /** Has the state, one byte, in the place of statements. */
  private static final byte VERSION_OF_TRANSACTIONS = 2;

  private static final int TXN_NUMBER_AT = 1;
  private static final int LAST_WRITE_AT = 9;
  private static final int PAGES_AT = 17;
  private static final int STATEMENTS_AT = 21;
  private static final byte[] NO_STATEMENTS = {};

  SessionRecord(long txnNumber, long lastWriteMillis, int pages, byte[] statements) {
    this(txnNumber, lastWriteMillis, pages, statements, State.RETRYABLE_WRITE);
  }

  static SessionRecord ofTransaction(long txnNumber, long lastWriteMillis, State state) {
    return new SessionRecord(txnNumber, lastWriteMillis, 0, NO_STATEMENTS, state);
  }

  boolean isTransaction() {
    return state != State.RETRYABLE_WRITE;
  }

  /** As {@code config.transactions} shows it. */
  RawDocument shown(SessionId session) {
    var out = new BsonBuilder().appendDocument("_id", session.document());
    out.appendInt64("txnNum", txnNumber);
    out.appendDate("lastWriteDate", lastWriteMillis);
    if (isTransaction()) {
      out.appendString("state", state.name().toLowerCase(Locale.ROOT));
    }
    return out.toDocument();
  }

  static byte[] key(SessionId session) {
    byte[] id = session.bytes();
    byte[] key = Arrays.copyOf(KEYS, KEYS.length + 1 + id.length);
    key[KEYS.length] = (byte) id.length;
    System.arraycopy(id, 0, key, KEYS.length + 1, id.length);
    return key;
  }

  static byte[] pageKey(byte[] sessionKey, int page) {
    byte[] key = Arrays.copyOf(sessionKey, sessionKey.length + Integer.BYTES);
    for (int i = 0; i < Integer.BYTES; i++) {
      key[sessionKey.length + i] = (byte) (page >>> (8 * (Integer.BYTES - 1 - i)));
    }
    return key;
  }

  /** Whether a key that begins with {@link #KEYS} is that of a session, and not of a page. */
  static boolean isSessionKey(byte[] key, int length) {
    return length == KEYS.length + 1 + key[KEYS.length];
  }

  static SessionId sessionOf(byte[] key, int length) {
    int start = KEYS.length + 1;
    return SessionId.ofBytes(key, start, length - start);
  }

  byte[] encode() {
    byte[] rest = isTransaction() ? new byte[] {(byte) state.ordinal()} : statements;
    byte[] bytes = new byte[STATEMENTS_AT + rest.length];
    bytes[0] = isTransaction() ? VERSION_OF_TRANSACTIONS : VERSION_OF_WRITES;
    LittleEndian.putInt64(bytes, TXN_NUMBER_AT, txnNumber);
    LittleEndian.putInt64(bytes, LAST_WRITE_AT, lastWriteMillis);
    LittleEndian.putInt32(bytes, PAGES_AT, pages);
    System.arraycopy(rest, 0, bytes, STATEMENTS_AT, rest.length);
    return bytes;
  }

  static SessionRecord decode(byte[] bytes) {
    long number = LittleEndian.int64(bytes, TXN_NUMBER_AT);
    long millis = LittleEndian.int64(bytes, LAST_WRITE_AT);
    int pages = LittleEndian.int32(bytes, PAGES_AT);
    return switch (bytes[0]) {
      case VERSION_OF_WRITES ->
          new SessionRecord(
              number, millis, pages, Arrays.copyOfRange(bytes, STATEMENTS_AT, bytes.length));
      case VERSION_OF_TRANSACTIONS ->
          new SessionRecord(
              number, millis, pages, NO_STATEMENTS, State.values()[bytes[STATEMENTS_AT]]);
      default ->
          throw new IllegalStateException("a session record of an unknown version: " + bytes[0]);
    };
  }

  /** All statements, also those in pages. */
  List<Statement> allStatements(byte[] sessionKey, ReadView view) {
    var all = new ArrayList<Statement>();
    for (int page = 0; page < pages; page++) {
      byte[] encoded = view.get(Keyspace.SYSTEM, pageKey(sessionKey, page));
      if (encoded == null) {
        throw new IllegalStateException("page " + page + " of a session record is missing");
      }
      all.addAll(Statement.decode(encoded));
    }
    all.addAll(Statement.decode(statements));
    return all;
  }
}
