package dev.wisent.pipeline;

/** Documents that are read for a stage; closed by the stage, or at last with its run. */
public interface OpenStream extends DocumentStream, AutoCloseable {
  @Override
  void close();
}
