package dev.wisent.wire.client;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;

/** {@code $clusterTime}: each request carries the newest time known here, each reply brings one. */
public interface ClusterTimeGossip {
  ClusterTimeGossip NONE =
      new ClusterTimeGossip() {
        @Override
        public void appendTo(BsonBuilder request) {}

        @Override
        public void received(RawDocument clusterTime) {}
      };

  /** Adds the field {@code $clusterTime} to a request that has none. */
  void appendTo(BsonBuilder request);

  /**
   * @param clusterTime the value of the field in a reply
   */
  void received(RawDocument clusterTime);
}
