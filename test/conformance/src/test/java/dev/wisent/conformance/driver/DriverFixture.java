package dev.wisent.conformance.driver;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.wisent.conformance.Differences;
import dev.wisent.conformance.SharedServer;
import org.bson.Document;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A client and an empty database; tests take it as a parameter. */
record DriverFixture(String uri, MongoClient client, MongoDatabase database)
    implements AutoCloseable {

  static DriverFixture open(String uri) {
    MongoClient client = MongoClients.create(uri);
    MongoDatabase database = client.getDatabase("driver_tests");
    database.drop();
    return new DriverFixture(uri, client, database);
  }

  /** The connection string with options. */
  String uri(String options) {
    return uri + (uri.contains("?") ? "&" : "?") + options;
  }

  MongoCollection<Document> collection(String name) {
    return database.getCollection(name);
  }

  @Override
  public void close() {
    database.drop();
    client.close();
  }

  /** Opens one for each test; JUnit's store closes it. Through a router, tests may differ. */
  static final class Extension extends Differences implements ParameterResolver {

    private static final ExtensionContext.Namespace NAMESPACE =
        ExtensionContext.Namespace.create(DriverFixture.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == DriverFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getStore(NAMESPACE)
          .computeIfAbsent(
              DriverFixture.class, key -> open(SharedServer.uri(context)), DriverFixture.class);
    }
  }
}
