package dev.wisent.replication.raft;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.thirdparty.io.grpc.netty.GrpcHttp2ConnectionHandler;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import org.apache.ratis.thirdparty.io.grpc.netty.InternalProtocolNegotiators;
import org.apache.ratis.thirdparty.io.netty.channel.Channel;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandler;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.ratis.thirdparty.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslContext;
import org.apache.ratis.thirdparty.io.netty.handler.ssl.SslHandler;
import org.apache.ratis.thirdparty.io.netty.util.AsciiString;

/**
 * Bounds how many connections there are whose other end has not proven itself. What is too much is
 * closed at once; one address cannot take the place of all.
 */
final class UnprovenConnections implements ProtocolNegotiator {
  static final int MAX = 256;
  static final int PER_ADDRESS_MAX = 64;

  private final ProtocolNegotiator transport;
  private final Map<InetAddress, Integer> counts = new HashMap<>(); // guarded by itself
  private int total; // guarded by counts

  UnprovenConnections(SslContext context) {
    this.transport = InternalProtocolNegotiators.serverTls(context);
  }

  @Override
  public AsciiString scheme() {
    return transport.scheme();
  }

  @Override
  public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
    return new Admission(connection);
  }

  @Override
  public void close() {
    transport.close();
  }

  private boolean admit(InetAddress address) {
    synchronized (counts) {
      int count = counts.getOrDefault(address, 0);
      if (total >= MAX || count >= PER_ADDRESS_MAX) {
        return false;
      }
      total++;
      counts.put(address, count + 1);
      return true;
    }
  }

  private void release(InetAddress address) {
    synchronized (counts) {
      total--;
      counts.computeIfPresent(address, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  private final class Admission extends ChannelInboundHandlerAdapter {
    private final GrpcHttp2ConnectionHandler connection;

    Admission(GrpcHttp2ConnectionHandler connection) {
      this.connection = connection;
    }

    /** Gives its place to the handler that begins with TLS. */
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      Channel channel = context.channel();
      InetAddress address =
          channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
      if (address == null || !admit(address)) {
        var unused = channel.close();
        return;
      }
      var released = new AtomicBoolean();
      Runnable release =
          () -> {
            if (released.compareAndSet(false, true)) {
              release(address);
            }
          };
      var unused = channel.closeFuture().addListener(closed -> release.run());
      context.pipeline().replace(this, null, transport.newHandler(connection));
      // TLS is in the pipeline when what makes the channel active has run.
      channel.eventLoop().execute(() -> awaitProof(channel, release));
    }

    private static void awaitProof(Channel channel, Runnable release) {
      SslHandler handshake = channel.pipeline().get(SslHandler.class);
      if (handshake == null) {
        var unused = channel.close();
        return;
      }
      handshake.setHandshakeTimeout(ClosedPort.HANDSHAKE_SECONDS_MAX, TimeUnit.SECONDS);
      var unused =
          handshake
              .handshakeFuture()
              .addListener(
                  done -> {
                    if (done.isSuccess()) {
                      release.run();
                    }
                  });
    }
  }
}
