package dev.wisent.server.transport;

import dev.wisent.server.harness.Eventually;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A client that sends bytes as told. Reads give up after the usual deadline. */
final class TestClient implements AutoCloseable {
  private final Socket socket = new Socket();
  private final InputStream in;

  TestClient(Transport transport) throws IOException {
    this(InetAddress.getByName("127.0.0.1"), transport.port());
  }

  TestClient(InetAddress address, int port) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) Eventually.DEADLINE_SECONDS * 1000);
    socket.connect(new InetSocketAddress(address, port));
    in = socket.getInputStream();
  }

  TestClient send(byte[]... frames) throws IOException {
    socket.getOutputStream().write(Frames.join(frames));
    return this;
  }

  byte[] receive() throws IOException {
    byte[] length = in.readNBytes(4);
    if (length.length < 4) {
      throw new EOFException("the server has closed the connection");
    }
    int total = ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
    return Frames.join(length, in.readNBytes(total - 4));
  }

  byte[] call(byte[] frame) throws IOException {
    return send(frame).receive();
  }

  /** Whether the server has closed the connection, waiting for it. */
  boolean isClosedByServer() {
    try {
      return in.read() == -1;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  void endSending() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
