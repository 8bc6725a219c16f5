package dev.wisent.testkit;

import com.mongodb.ConnectionString;
import dev.wisent.base.CommandException;
import dev.wisent.wire.CompressedMessage;
import dev.wisent.wire.MessageHeader;
import dev.wisent.wire.OpMsg;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Passes connections on to a router, and shards each collection before the first write to it. Tests
 * that know nothing of shards run so on collections that are spread over all of them.
 */
final class ShardingProxy implements TestServer {
  private final TestCluster cluster;
  private final ShardedNamespaces namespaces;
  private final ServerSocket listener;
  private final int port;

  private ShardingProxy(TestCluster cluster) throws IOException {
    this.cluster = cluster;
    this.namespaces = new ShardedNamespaces(cluster);
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    String host = new ConnectionString(cluster.uri()).getHosts().getFirst();
    this.port = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    Thread.ofVirtual().start(this::acceptAll);
  }

  static ShardingProxy before(TestCluster cluster) {
    try {
      return new ShardingProxy(cluster);
    } catch (IOException e) {
      cluster.close();
      throw new UncheckedIOException("cannot listen", e);
    }
  }

  @Override
  public String uri() {
    return "mongodb://127.0.0.1:" + listener.getLocalPort() + "/";
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot close", e);
    } finally {
      cluster.close();
    }
  }

  private void acceptAll() {
    try {
      while (true) {
        Socket client = listener.accept();
        Socket router = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setTcpNoDelay(true);
        router.setTcpNoDelay(true);
        Thread.ofVirtual().start(() -> passRequests(client, router));
        Thread.ofVirtual().start(() -> passReplies(router, client));
      }
    } catch (IOException closed) {
      // The end of the run.
    }
  }

  private void passRequests(Socket client, Socket router) {
    try (client;
        router) {
      var in = new DataInputStream(client.getInputStream());
      OutputStream out = router.getOutputStream();
      while (true) {
        byte[] header = new byte[MessageHeader.BYTES];
        in.readFully(header);
        byte[] message = new byte[MessageHeader.length(header)];
        System.arraycopy(header, 0, message, 0, header.length);
        in.readFully(message, header.length, message.length - header.length);
        look(message);
        out.write(message);
      }
    } catch (IOException ended) {
      // One side went away; closing both tells the other.
    }
  }

  private void look(byte[] sent) {
    byte[] message =
        MessageHeader.opCode(sent) == MessageHeader.OP_COMPRESSED
            ? CompressedMessage.unwrap(sent, sent.length)
            : sent;
    if (MessageHeader.opCode(message) != MessageHeader.OP_MSG) {
      return;
    }
    OpMsg parsed;
    try {
      parsed = OpMsg.parse(message, message.length);
    } catch (CommandException wrong) {
      // The router says what is wrong.
      return;
    }
    namespaces.before(parsed);
  }

  private static void passReplies(Socket router, Socket client) {
    try (router;
        client) {
      InputStream replies = router.getInputStream();
      replies.transferTo(client.getOutputStream());
    } catch (IOException ended) {
      // One side went away; closing both tells the other.
    }
  }
}
