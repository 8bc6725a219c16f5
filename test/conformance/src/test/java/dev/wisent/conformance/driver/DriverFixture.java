package dev.wisent.conformance.driver;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.InsertManyOptions;
import dev.wisent.conformance.Differences;
import dev.wisent.conformance.SharedServer;
import dev.wisent.testkit.Topology;
import java.util.List;
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

  /**
   * What was found without a sort, in the order in which it was inserted: one node gives it so,
   * several shards in any order.
   *
   * @param ids ascending in the order in which they were inserted
   */
  static <T> List<T> inOrderOfIds(List<T> ids) {
    return Topology.ofRun() == Topology.SHARDED ? ids.stream().sorted().toList() : ids;
  }

  /** For many documents: one after the other would go to one shard after the other. */
  static InsertManyOptions inAnyOrderOnShards() {
    return new InsertManyOptions().ordered(Topology.ofRun() != Topology.SHARDED);
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
