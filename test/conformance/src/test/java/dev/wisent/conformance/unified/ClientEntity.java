package dev.wisent.conformance.unified;

import com.mongodb.client.MongoClient;

/** A client of a case together with what was observed of it. */
record ClientEntity(MongoClient client, ObservedCommands commands, ObservedPool pool)
    implements AutoCloseable {

  @Override
  public void close() {
    client.close();
  }
}
