package dev.wisent.server.transport;

import dev.wisent.base.loop.BackgroundLoops;
import dev.wisent.server.memory.MessageMemory;
import java.util.List;

/** One listening server: its sockets, its connections and the threads that serve them. */
public interface Transport extends AutoCloseable {

  /**
   * Binds every address and starts accepting. All threads are daemons.
   *
   * @throws ListenException when an address cannot be resolved or bound; nothing is left open then
   */
  static Transport open(
      TransportOptions options,
      ConnectionHandlerFactory handlers,
      MessageMemory memory,
      TransportLog log,
      BackgroundLoops loops)
      throws ListenException {
    return BlockingTransport.open(options, handlers, memory, log, loops);
  }

  /** The port that is listened on, the real one when the options asked for 0. */
  int port();

  /** What is listened on, each as {@code host:port}. */
  List<String> addresses();

  ConnectionCounts counts();

  /** Closes the listening sockets; none is accepted after it returns, and connections live on. */
  void stopAccepting();

  /**
   * Closes everything, tells handlers that are at work ({@link ConnectionHandler#disconnected}) and
   * waits for them, for at most {@link TransportOptions#closeTimeoutMillis}. Must not be called
   * from {@link ConnectionHandler#handle}, which it would wait for.
   */
  @Override
  void close();
}
