package dev.wisent.cli;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import dev.wisent.wire.ReplyBuffer;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.Consumer;

/**
 * A short life of a server, from start to stop with some requests in between. The launcher runs it
 * once after a build, with the JVM recording which classes are used and which methods are hot;
 * later starts load that record instead of finding out again.
 */
final class TrainingRun {
  private static final int ROUNDS = 300;
  private static final String DATABASE = "training";
  private static final String COLLECTION = "documents";

  private final ReplyBuffer request = new ReplyBuffer();
  private int requestId;

  private volatile Exception failure;

  /** Serves {@code directory} for a moment. */
  void run(String directory) throws StartException {
    List<String> flags = List.of("--dbpath", directory, "--port", "0");
    new ServerRun(ServerCommand.parse(flags))
        .run(server -> Thread.ofPlatform().name("client").start(() -> visit(server)));
    if (failure != null) {
      throw new StartException(ExitCode.ABRUPT, "the training failed: " + failure, failure);
    }
  }

  private void visit(RunningServer server) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      talk(socket);
    } catch (IOException | RuntimeException e) {
      failure = e;
    } finally {
      server.requestStop();
    }
  }

  private void talk(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    call(socket, body -> body.appendInt32("hello", 1));
    call(socket, body -> body.appendInt32("ping", 1));
    for (int i = 0; i < ROUNDS; i++) {
      int id = i;
      call(socket, body -> insert(body, id));
      call(socket, body -> find(body, id));
      call(socket, body -> update(body, id));
    }
    call(socket, body -> body.appendInt32("dropDatabase", 1));
  }

  private static void insert(BsonBuilder body, int id) {
    body.appendString("insert", COLLECTION).startArray("documents").startDocument(0);
    body.appendInt32("_id", id).appendString("name", "name " + id).appendInt32("count", 0);
    body.end().end();
  }

  private static void find(BsonBuilder body, int id) {
    body.appendString("find", COLLECTION).startDocument("filter").appendInt32("_id", id).end();
  }

  private static void update(BsonBuilder body, int id) {
    body.appendString("update", COLLECTION).startArray("updates").startDocument(0);
    body.startDocument("q").appendInt32("_id", id).end();
    body.startDocument("u").startDocument("$inc").appendInt32("count", 1).end().end();
    body.end().end();
  }

  /** Sends a command and insists on {@code ok: 1}: what fails is not worth recording. */
  private void call(Socket socket, Consumer<BsonBuilder> command) throws IOException {
    BsonBuilder body = request.startMessage();
    command.accept(body);
    body.appendString("$db", DATABASE);
    request.finishMessage(++requestId, 0, 0);
    socket.getOutputStream().write(request.bytes(), 0, request.length());
    OpMsg reply = readReply(new DataInputStream(socket.getInputStream()));
    if (reply.body().toBsonDocument().getNumber("ok").intValue() != 1) {
      throw new IOException("refused: " + reply.body().toJson());
    }
  }

  private static OpMsg readReply(DataInputStream in) throws IOException {
    byte[] header = in.readNBytes(MessageHeader.BYTES);
    if (header.length < MessageHeader.BYTES) {
      throw new IOException("connection closed");
    }
    byte[] message = new byte[MessageHeader.length(header)];
    System.arraycopy(header, 0, message, 0, header.length);
    in.readFully(message, header.length, message.length - header.length);
    return OpMsg.parse(message, message.length);
  }
}
