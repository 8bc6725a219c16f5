package dev.wisent.database.session;

import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Statements that follow each other and are done.
 *
 * @param result what a retry has to answer, of a single statement; null where it is that one
 *     document was inserted, modified or deleted
 */
record Statement(int first, int count, RawDocument result) {
  private static final int COUNT_AT = 4;
  private static final int FLAG_AT = 8;
  private static final int PREFIX_BYTES = 9;

  static Statement of(int id, RawDocument result) {
    return new Statement(id, 1, result);
  }

  boolean contains(int id) {
    return id >= first && id - first < count;
  }

  /** Both in one, or null where that cannot be. */
  private Statement joined(Statement next) {
    boolean fit = result == null && next.result == null && first + count == next.first;
    return fit ? new Statement(first, count + next.count, null) : null;
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
      size += PREFIX_BYTES + (each.result == null ? 0 : each.result.length());
    }
    byte[] bytes = new byte[size];
    int position = 0;
    for (Statement each : statements) {
      LittleEndian.putInt32(bytes, position, each.first);
      LittleEndian.putInt32(bytes, position + COUNT_AT, each.count);
      bytes[position + FLAG_AT] = (byte) (each.result == null ? 0 : 1);
      position += PREFIX_BYTES;
      if (each.result != null) {
        RawDocument result = each.result;
        System.arraycopy(result.bytes(), result.offset(), bytes, position, result.length());
        position += result.length();
      }
    }
    return bytes;
  }

  static List<Statement> decode(byte[] bytes) {
    var statements = new ArrayList<Statement>();
    int position = 0;
    while (position < bytes.length) {
      int first = LittleEndian.int32(bytes, position);
      int count = LittleEndian.int32(bytes, position + COUNT_AT);
      boolean hasResult = bytes[position + FLAG_AT] != 0;
      position += PREFIX_BYTES;
      RawDocument result = null;
      if (hasResult) {
        result = RawDocument.at(bytes, position);
        position += result.length();
      }
      statements.add(new Statement(first, count, result));
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
