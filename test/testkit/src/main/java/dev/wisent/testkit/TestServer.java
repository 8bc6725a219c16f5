package dev.wisent.testkit;

/** A running server that a test can connect to. Closing it stops it. */
public interface TestServer extends AutoCloseable {

  /** The {@code mongodb://} connection string, without options. */
  String uri();

  @Override
  void close();
}
