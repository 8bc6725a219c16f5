package dev.wisent.server.message;

import dev.wisent.server.transport.ConnectionContext;
import dev.wisent.server.transport.ConnectionHandler;
import dev.wisent.server.transport.Execution;
import dev.wisent.server.transport.ReplyChannel;

/** Connects one connection of the transport with the handler of its messages. */
public final class CommandConnection implements ConnectionHandler {
  private final ConnectionContext connection;
  private final MessageHandler messages;
  private final Runnable whenDisconnected;
  private final Runnable afterClose;

  /**
   * @param whenDisconnected wakes an operation that waits, so that it notices
   * @param afterClose what is to be done when the connection has gone
   */
  public CommandConnection(
      ConnectionContext connection,
      MessageHandler messages,
      Runnable whenDisconnected,
      Runnable afterClose) {
    this.connection = connection;
    this.messages = messages;
    this.whenDisconnected = whenDisconnected;
    this.afterClose = afterClose;
  }

  @Override
  public int messageBytesMax() {
    return messages.messageBytesMax();
  }

  @Override
  public long bytesNeeded(byte[] start, int length) {
    return MessageHandler.bytesNeeded(start, length);
  }

  @Override
  public Execution classify(byte[] frame) {
    return WaitingHello.is(frame) || LoginMessage.is(frame) ? Execution.WAIT : Execution.RUN;
  }

  @Override
  public void handle(byte[] frame, ReplyChannel out) {
    boolean goOn = messages.handle(frame, frame.length, new ChannelSink(out));
    if (!goOn) {
      connection.close();
    }
  }

  @Override
  public void disconnected() {
    whenDisconnected.run();
  }

  @Override
  public void parked() {
    messages.parked();
  }

  @Override
  public void closed() {
    messages.closed();
    afterClose.run();
  }

  private record ChannelSink(ReplyChannel channel) implements MessageHandler.Sink {
    @Override
    public void send(byte[] bytes, int length) {
      channel.write(bytes, 0, length);
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }
  }
}
