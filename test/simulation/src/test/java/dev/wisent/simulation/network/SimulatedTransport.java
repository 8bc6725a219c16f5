package dev.wisent.simulation.network;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.memory.MessageMemory;
import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.server.transport.ConnectionCounts;
import dev.wisent.server.transport.ConnectionHandler;
import dev.wisent.server.transport.ConnectionHandlerFactory;
import dev.wisent.server.transport.ReplyChannel;
import dev.wisent.server.transport.Transport;
import dev.wisent.server.transport.TransportLog;
import dev.wisent.server.transport.TransportOptions;
import dev.wisent.simulation.machine.Hooks;
import dev.wisent.simulation.machine.Host;
import dev.wisent.wire.MessageHeader;
import java.io.IOException;
import java.util.List;

/** Listens on the simulated network: a thread for each connection, which hands on its messages. */
public final class SimulatedTransport implements Transport {
  private static final int HEADER_BYTES = 16;

  private final Host host;
  private final int port;
  private final ConnectionHandlerFactory handlers;
  private long connections;

  private SimulatedTransport(Host host, int port, ConnectionHandlerFactory handlers) {
    this.host = host;
    this.port = port;
    this.handlers = handlers;
  }

  /** In place of {@link Transport#open}. */
  public static Transport open(
      TransportOptions options,
      ConnectionHandlerFactory handlers,
      MessageMemory memory,
      TransportLog log,
      BackgroundLoops loops) {
    var transport = new SimulatedTransport(Hooks.host(), options.port(), handlers);
    Network.current().listen(transport, options.port());
    return transport;
  }

  Host host() {
    return host;
  }

  void accept(Link link) {
    var connection = new Connection(++connections, link);
    host.start("conn-" + connections, connection::serve);
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public List<String> addresses() {
    return List.of("127.0.0.1:" + port);
  }

  @Override
  public ConnectionCounts counts() {
    return new ConnectionCounts(0, 1, connections, 0, 0, 0);
  }

  @Override
  public void stopAccepting() {
    Network.current().stopListening(this);
  }

  @Override
  public void close() {
    Network.current().stopListening(this);
  }

  private final class Connection implements ConnectionContext, ReplyChannel {
    private final long id;
    private final Link link;
    private boolean handling;
    private boolean closed;

    private Connection(long id, Link link) {
      this.id = id;
      this.link = link;
    }

    private void serve() {
      ConnectionHandler handler = handlers.opened(this);
      link.whenBroken(
          () -> {
            if (handling) {
              handler.disconnected();
            }
          });
      try {
        for (byte[] frame = next(); frame != null; frame = next()) {
          handling = true;
          var unused = handler.classify(frame);
          handler.handle(frame, this);
          handling = false;
        }
      } catch (IOException e) {
        // The thread was interrupted.
      } finally {
        handling = false;
        close();
        handler.closed();
      }
    }

    /** Null at the end. */
    private byte[] next() throws IOException {
      byte[] header = new byte[HEADER_BYTES];
      if (closed || !link.toServer().readFully(header, 0, HEADER_BYTES)) {
        return null;
      }
      byte[] frame = new byte[MessageHeader.length(header)];
      System.arraycopy(header, 0, frame, 0, HEADER_BYTES);
      boolean whole = link.toServer().readFully(frame, HEADER_BYTES, frame.length - HEADER_BYTES);
      return whole ? frame : null;
    }

    @Override
    public void write(byte[] buffer, int offset, int length) {
      try {
        link.toClient().write(buffer, offset, length);
      } catch (IOException e) {
        closed = true;
      }
    }

    @Override
    public boolean isOpen() {
      return !closed && !link.toServer().isEnded();
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public String remoteAddress() {
      return "127.0.0.1:1";
    }

    @Override
    public String localAddress() {
      return "127.0.0.1:" + port;
    }

    @Override
    public boolean isReserved() {
      return false;
    }

    @Override
    public void administered() {}

    @Override
    public void close() {
      closed = true;
      link.cut(Network.current().delay());
    }
  }
}
