package dev.wisent.simulation.network;

import dev.wisent.simulation.machine.Hooks;
import dev.wisent.simulation.machine.Host;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sockets of the simulated network, as far as calls between nodes use them. */
public final class SimulatedSockets {
  private static final long REFUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private SimulatedSockets() {}

  /** In place of {@link SocketChannel#open()}. */
  public static SocketChannel open() {
    return new Channel(Hooks.host());
  }

  private static final class Channel extends SocketChannel {
    private final Host host;
    private final Socket socket = new Connected();
    private Link link;

    private Channel(Host host) {
      super(null);
      this.host = host;
    }

    @Override
    public Socket socket() {
      return socket;
    }

    /** Whether something is there: for connections that ought to be idle. */
    @Override
    public int read(ByteBuffer target) {
      return link == null ? -1 : link.toClient().available();
    }

    @Override
    protected void implCloseSelectableChannel() {
      if (link != null) {
        link.toClient().closeHere();
        link.cut(Network.current().delay());
      }
    }

    @Override
    protected void implConfigureBlocking(boolean block) {}

    private final class Connected extends Socket {
      @Override
      public void setTcpNoDelay(boolean on) {}

      @Override
      public void connect(SocketAddress address, int timeoutMillis) throws IOException {
        Link made = Network.current().connect(host, ((InetSocketAddress) address).getPort());
        if (made == null) {
          LockSupport.parkNanos(REFUSED_NANOS);
          throw new ConnectException("Connection refused");
        }
        link = made;
      }

      @Override
      public InputStream getInputStream() {
        return new InputStream() {
          @Override
          public int read() {
            throw new UnsupportedOperationException();
          }

          @Override
          public int read(byte[] target, int at, int length) throws IOException {
            return link.toClient().read(target, at, length);
          }
        };
      }

      @Override
      public OutputStream getOutputStream() {
        return new OutputStream() {
          @Override
          public void write(int value) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            link.toServer().write(bytes, from, length);
          }
        };
      }

      @Override
      public void close() throws IOException {
        Channel.this.close();
      }
    }

    @Override
    public SocketChannel bind(SocketAddress local) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> SocketChannel setOption(SocketOption<T> name, T value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return Set.of();
    }

    @Override
    public SocketChannel shutdownInput() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketChannel shutdownOutput() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean isConnected() {
      return link != null;
    }

    @Override
    public boolean isConnectionPending() {
      return false;
    }

    @Override
    public boolean connect(SocketAddress remote) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean finishConnect() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getRemoteAddress() {
      throw new UnsupportedOperationException();
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int write(ByteBuffer source) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress() {
      throw new UnsupportedOperationException();
    }
  }
}
