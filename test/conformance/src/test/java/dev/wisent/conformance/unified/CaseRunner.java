package dev.wisent.conformance.unified;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/**
 * Runs cases against one server.
 *
 * <p>A case that cannot run here ends with {@link TestAbortedException} and its reason, one that
 * does not behave as described with {@link AssertionError}.
 */
public final class CaseRunner implements AutoCloseable {

  private final MongoClient internal;
  private final Requirements requirements;
  private final EntityFactory entityFactory;

  private CaseRunner(MongoClient internal, ServerInfo server, EntityFactory entityFactory) {
    this.internal = internal;
    this.requirements = new Requirements(server);
    this.entityFactory = entityFactory;
  }

  public static CaseRunner connect(String uri) {
    return connect(uri, uri);
  }

  /**
   * @param uriOfAll that of several routers, for clients that are to use them all
   */
  public static CaseRunner connect(String uri, String uriOfAll) {
    MongoClient client = MongoClients.create(uri);
    try {
      return new CaseRunner(client, ServerInfo.of(client), new EntityFactory(uri, uriOfAll));
    } catch (RuntimeException e) {
      client.close();
      throw e;
    }
  }

  /**
   * Runs one case.
   *
   * @param file the whole file, for its requirements, entities and data
   * @param test one of the cases of the file
   * @param checkCommands whether the commands that clients sent are checked too
   */
  public void run(BsonDocument file, BsonDocument test, boolean checkCommands) {
    requireSupported(file);
    requireSupported(test);
    array(file, "initialData").forEach(data -> CollectionData.parse(data).load(internal));
    RunnerOperations runnerOperations = new RunnerOperations(internal, entityFactory);
    try (Entities entities = new Entities()) {
      array(file, "createEntities").forEach(e -> entityFactory.create(e.asDocument(), entities));
      OperationExecutor executor = new OperationExecutor(runnerOperations);
      for (BsonValue operation : test.getArray("operations")) {
        executor.run(operation.asDocument(), entities);
      }
      if (checkCommands) {
        new ExpectedCommands(entities).check(array(test, "expectEvents"));
      }
    } finally {
      runnerOperations.disableFailPoints();
    }
    array(test, "outcome").forEach(data -> CollectionData.parse(data).check(internal));
  }

  @Override
  public void close() {
    internal.close();
  }

  private void requireSupported(BsonDocument fileOrCase) {
    requirements
        .unmet(fileOrCase)
        .ifPresent(
            reason -> {
              throw new TestAbortedException(reason);
            });
  }

  private static BsonArray array(BsonDocument document, String name) {
    return document.getArray(name, new BsonArray());
  }
}
