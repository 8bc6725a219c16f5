package dev.wisent.server.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Protocols that clients speak by mistake, recognised by the first bytes of a connection. */
public enum ForeignProtocol {
  HTTP(
      ("HTTP/1.0 200 OK\r\n"
              + "Connection: close\r\n"
              + "Content-Type: text/plain\r\n"
              + "Content-Length: 85\r\n\r\n"
              + "It looks like you are trying to access MongoDB over HTTP"
              + " on the native driver port.\r\n")
          .getBytes(StandardCharsets.US_ASCII)),
  TLS(new byte[0]);

  private static final List<String> HTTP_METHODS =
      List.of("GET ", "PUT ", "HEAD", "POST", "OPTI", "DELE", "PATC", "CONN", "TRAC");
  private static final int TLS_HANDSHAKE = 0x16;
  private static final int TLS_VERSION_MAJOR = 3;
  private static final int TLS_CLIENT_HELLO = 1;

  private static final int TLS_HANDSHAKE_TYPE_OFFSET = 5;

  /** Where a message has its kind, which is a small number; in TLS there are random bytes. */
  private static final int OP_CODE_OFFSET = 12;

  private static final int OP_CODE_BOUND = 10_000;
  private static final VarHandle INT_LE =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** By how many bytes TLS is told from messages. */
  static final int TLS_BYTES = 16;

  private final byte[] answer;

  ForeignProtocol(byte[] answer) {
    this.answer = answer;
  }

  /** What a client of this protocol can read; may be nothing. */
  byte[] answer() {
    return answer.clone();
  }

  /** What the first four bytes, which no message can begin with, belong to; null if unknown. */
  static ForeignProtocol ofImpossibleLength(int firstBytes) {
    var text = new StringBuilder();
    for (int shift = 0; shift < Integer.SIZE; shift += Byte.SIZE) {
      text.append((char) ((firstBytes >>> shift) & 0xff));
    }
    if (HTTP_METHODS.contains(text.toString())) {
      return HTTP;
    }
    boolean tls = text.charAt(0) == TLS_HANDSHAKE && text.charAt(1) == TLS_VERSION_MAJOR;
    return tls ? TLS : null;
  }

  /**
   * Whether what looks like a large message is a TLS handshake, of which more never comes: it reads
   * as a message of megabytes.
   */
  static boolean isTls(byte[] start) {
    return start[0] == TLS_HANDSHAKE
        && start[1] == TLS_VERSION_MAJOR
        && start[TLS_HANDSHAKE_TYPE_OFFSET] == TLS_CLIENT_HELLO
        && !isOpCode((int) INT_LE.get(start, OP_CODE_OFFSET));
  }

  /** Whether a connection that begins so may speak TLS. */
  static boolean mayBeTls(byte first) {
    return first == TLS_HANDSHAKE;
  }

  private static boolean isOpCode(int number) {
    return number > 0 && number < OP_CODE_BOUND;
  }
}
