package dev.wisent.wire.client;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.Compressor;
import dev.wisent.wire.HostAndPort;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A node that answers as its script says, right or wrong. Handshakes are answered by itself. */
final class ScriptedNode implements AutoCloseable {
  /** Answers one request, or does something else with its connection. */
  interface Script {
    void answer(Request request) throws IOException;
  }

  /** A request and the connection that it came over. */
  record Request(int id, int flags, OpMsg message, Compressor compressor, Socket socket) {
    RawDocument body() {
      return message.body();
    }

    String name() {
      var fields = body().elements();
      fields.next();
      return fields.name();
    }

    void reply(String json) throws IOException {
      reply(json, id, 0);
    }

    int reply(String json, int responseTo, int replyFlags) throws IOException {
      byte[] message = replyBytes(json, responseTo, replyFlags);
      write(message, message.length);
      return MessageHeader.requestId(message);
    }

    byte[] replyBytes(String json, int responseTo, int replyFlags) {
      var reply = new ReplyBuffer();
      reply.startMessage().appendAll(RawDocument.parse(json));
      reply.finishMessage(REPLY_IDS.incrementAndGet(), responseTo, replyFlags);
      if (compressor != null) {
        reply.compress(compressor);
      }
      return Arrays.copyOf(reply.bytes(), reply.length());
    }

    void write(byte[] bytes, int length) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(bytes, 0, length);
      out.flush();
    }
  }

  private static final AtomicInteger REPLY_IDS = new AtomicInteger(1_000_000);

  private final ServerSocket server;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final Script script;
  private final String hello;
  final AtomicInteger accepted = new AtomicInteger();
  private volatile boolean down;

  /** A longer request is not read, and its connection closed. */
  volatile int requestBytesMax = Integer.MAX_VALUE;

  ScriptedNode(Script script) {
    this("{ok: 1}", script);
  }

  /**
   * @param hello the reply to the handshake
   */
  ScriptedNode(String hello, Script script) {
    this.script = script;
    this.hello = hello;
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  HostAndPort host() {
    return HostAndPort.parse("127.0.0.1:" + server.getLocalPort());
  }

  private void accept() {
    while (true) {
      try {
        Socket socket = server.accept();
        if (down) {
          socket.close();
          continue;
        }
        accepted.incrementAndGet();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      var in = new DataInputStream(socket.getInputStream());
      boolean greeted = false;
      while (true) {
        Request request = read(in, socket);
        if (!greeted) {
          greeted = true;
          request.reply(hello);
        } else {
          script.answer(request);
        }
      }
    } catch (IOException | RuntimeException e) {
      // The client has gone, or the script has closed the connection.
    }
  }

  private Request read(DataInputStream in, Socket socket) throws IOException {
    byte[] header = new byte[MessageHeader.BYTES];
    in.readFully(header);
    if (MessageHeader.length(header) > requestBytesMax) {
      throw new IOException("not read");
    }
    byte[] message = new byte[MessageHeader.length(header)];
    System.arraycopy(header, 0, message, 0, header.length);
    in.readFully(message, header.length, message.length - header.length);
    int id = MessageHeader.requestId(message);
    Compressor compressor = null;
    if (MessageHeader.opCode(message) == MessageHeader.OP_COMPRESSED) {
      compressor = CompressedMessage.compressorOf(message, message.length);
      message = CompressedMessage.unwrap(message, message.length);
    }
    OpMsg parsed = OpMsg.parse(message, message.length);
    return new Request(id, parsed.flags(), parsed, compressor, socket);
  }

  /** Closes the connections that clients have, as a restart does. */
  void closeConnections() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is closed.
      }
    }
    sockets.clear();
  }

  /** Closes connections, and each new one at once. The port stays its own. */
  void goDown() {
    down = true;
    closeConnections();
  }

  void comeBack() {
    down = false;
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    closeConnections();
  }

  static RawDocument command(String name) {
    return new BsonBuilder().appendInt32(name, 1).toDocument();
  }
}
