package dev.wisent.springboot;

import com.mongodb.ConnectionString;
import dev.wisent.Wisent;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;

/** Where Spring Boot finds the Wisent of its context. */
final class WisentConnectionDetails implements MongoConnectionDetails {
  private final ConnectionString connection;

  WisentConnectionDetails(Wisent wisent, String database) {
    this.connection = new ConnectionString(wisent.uri(database));
  }

  @Override
  public ConnectionString getConnectionString() {
    return connection;
  }
}
