package dev.wisent.conformance.access;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/** Sends bytes to a port, as a program may that knows its protocol, and says what comes back. */
final class PortProbe {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final int OP_MSG = 2013;

  /** The first byte of a TLS message that only says why the connection ends. */
  private static final int TLS_ALERT = 0x15;

  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int SETTINGS = 4;
  private static final int END_STREAM = 1;
  private static final int END_HEADERS = 4;

  private PortProbe() {}

  /** The first bytes of an answer; empty if the connection was ended without one. */
  static byte[] answer(int port, byte[] request) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      byte[] answer = exchange(socket, request);
      return answer.length > 0 && answer[0] == TLS_ALERT ? new byte[0] : answer;
    }
  }

  /** The same, encrypted; empty if the other side does not want that. */
  static byte[] answer(int port, byte[] request, SSLContext context) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      var secured =
          (SSLSocket) context.getSocketFactory().createSocket(socket, "localhost", port, true);
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      secured.setSSLParameters(parameters);
      try {
        secured.startHandshake();
      } catch (SocketTimeoutException e) {
        throw e;
      } catch (IOException refused) {
        return new byte[0];
      }
      return exchange(secured, request);
    }
  }

  private static byte[] exchange(Socket socket, byte[] request) throws IOException {
    socket.setSoTimeout(TIMEOUT_MILLIS);
    byte[] first = new byte[1024];
    try {
      OutputStream out = socket.getOutputStream();
      out.write(request);
      out.flush();
      InputStream in = socket.getInputStream();
      int read = in.read(first);
      return read < 0 ? new byte[0] : ByteBuffer.allocate(read).put(first, 0, read).array();
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException ended) {
      return new byte[0];
    }
  }

  /** A command in an OP_MSG. */
  static byte[] command(String json) {
    ByteBuffer body =
        new RawBsonDocument(BsonDocument.parse(json), new BsonDocumentCodec())
            .getByteBuffer()
            .asNIO();
    int length = 21 + body.remaining();
    ByteBuffer message = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    message.putInt(length).putInt(1).putInt(0).putInt(OP_MSG);
    return message.putInt(0).put((byte) 0).put(body).array();
  }

  /** HTTP/2 with an empty gRPC call of each method. */
  static byte[] calls(List<String> methods) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
    bytes.writeBytes(frame(SETTINGS, 0, 0, new byte[0]));
    int stream = 1;
    for (String method : methods) {
      bytes.writeBytes(frame(HEADERS, END_HEADERS, stream, headers("/" + method)));
      bytes.writeBytes(frame(DATA, END_STREAM, stream, new byte[5]));
      stream += 2;
    }
    return bytes.toByteArray();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) (payload.length >> 16)).putShort((short) payload.length);
    frame.put((byte) type).put((byte) flags).putInt(stream).put(payload);
    return frame.array();
  }

  /** Each of them literally, with its name. */
  private static byte[] headers(String path) {
    var block = new ByteArrayOutputStream();
    for (Map.Entry<String, String> header :
        List.of(
            Map.entry(":method", "POST"),
            Map.entry(":scheme", "https"),
            Map.entry(":path", path),
            Map.entry(":authority", "localhost"),
            Map.entry("te", "trailers"),
            Map.entry("content-type", "application/grpc"))) {
      block.write(0);
      block.write(header.getKey().length());
      block.writeBytes(ascii(header.getKey()));
      block.write(header.getValue().length());
      block.writeBytes(ascii(header.getValue()));
    }
    return block.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
