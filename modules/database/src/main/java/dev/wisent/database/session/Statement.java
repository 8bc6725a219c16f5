package dev.wisent.database.session;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Statements that follow each other and are done; or one that is not, and the attempt of which is
 * registered.
 *
 * @param result what a retry has to answer, of a single statement; null where it is that one
 *     document was inserted, modified or deleted
 * @param attempt 0 where the statements are done
 */
record Statement(int first, int count, RawDocument result, long attempt) {
  private static final byte DONE = 0;
  private static final byte DONE_WITH_RESULT = 1;
  private static final byte ATTEMPT = 2;
  private static final int COUNT_AT = 4;
  private static final int FLAG_AT = 8;
  private static final int PREFIX_BYTES = 9;

  static Statement of(int id, RawDocument result) {
    return new Statement(id, 1, result, 0);
  }

  static Statement attempted(int id, long attempt) {
    return new Statement(id, 1, null, attempt);
  }

  boolean isDone() {
    return attempt == 0;
  }

  boolean contains(int id) {
    return id >= first && id - first < count;
  }

  /** Both in one, or null where that cannot be. */
  private Statement joined(Statement next) {
    boolean plain = isDone() && next.isDone() && result == null && next.result == null;
    return plain && first + count == next.first
        ? new Statement(first, count + next.count, null, 0)
        : null;
  }

  /** Adds a statement to a list, which stays short where they follow each other. */
  static void add(List<Statement> statements, Statement next) {
    Statement joined = statements.isEmpty() ? null : statements.getLast().joined(next);
    if (joined == null) {
      statements.add(next);
    } else {
      statements.set(statements.size() - 1, joined);
    }
  }

  /** Bytes that {@link #decode} understands. */
  static byte[] encode(List<Statement> statements) {
    int size = 0;
    for (Statement each : statements) {
      size += PREFIX_BYTES + each.extraBytes();
    }
    byte[] bytes = new byte[size];
    int position = 0;
    for (Statement each : statements) {
      LittleEndian.putInt32(bytes, position, each.first);
      LittleEndian.putInt32(bytes, position + COUNT_AT, each.count);
      bytes[position + FLAG_AT] = each.flag();
      position += PREFIX_BYTES;
      if (!each.isDone()) {
        LittleEndian.putInt64(bytes, position, each.attempt);
      } else if (each.result != null) {
        RawDocument result = each.result;
        System.arraycopy(result.bytes(), result.offset(), bytes, position, result.length());
      }
      position += each.extraBytes();
    }
    return bytes;
  }

  private byte flag() {
    return !isDone() ? ATTEMPT : result == null ? DONE : DONE_WITH_RESULT;
  }

  /** What follows the prefix. */
  private int extraBytes() {
    return !isDone() ? Long.BYTES : result == null ? 0 : result.length();
  }

  static List<Statement> decode(byte[] bytes) {
    var statements = new ArrayList<Statement>();
    int position = 0;
    while (position < bytes.length) {
      int first = LittleEndian.int32(bytes, position);
      int count = LittleEndian.int32(bytes, position + COUNT_AT);
      byte flag = bytes[position + FLAG_AT];
      position += PREFIX_BYTES;
      RawDocument result = flag == DONE_WITH_RESULT ? RawDocument.at(bytes, position) : null;
      long attempt = flag == ATTEMPT ? LittleEndian.int64(bytes, position) : 0;
      var decoded = new Statement(first, count, result, attempt);
      statements.add(decoded);
      position += decoded.extraBytes();
    }
    return statements;
  }

  /** As {@link #encode} of both, where the first are encoded already. */
  static byte[] append(byte[] encoded, List<Statement> more) {
    if (encoded.length == 0) {
      return encode(more);
    }
    // The last of the old may be continued by the first of the new, so that one is made anew.
    List<Statement> old = decode(encoded);
    int kept = encoded.length - encode(List.of(old.getLast())).length;
    var tail = new ArrayList<Statement>(more.size() + 1);
    tail.add(old.getLast());
    more.forEach(each -> add(tail, each));
    byte[] added = encode(tail);
    byte[] all = Arrays.copyOf(encoded, kept + added.length);
    System.arraycopy(added, 0, all, kept, added.length);
    return all;
  }
}
