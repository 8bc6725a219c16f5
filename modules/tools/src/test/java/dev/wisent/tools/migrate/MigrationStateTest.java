package dev.wisent.tools.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import dev.wisent.Wisent;
import dev.wisent.tools.ShiftedClock;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.Deployment;
import dev.wisent.tools.format.CollectionMetadata;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Several processes with the state of one migration. */
class MigrationStateTest {
  private static final BsonDocument IDENTITY = BsonDocument.parse("{source: 'set 1'}");
  private static final MovedCollection MOVED =
      MovedCollection.begun(
          new CollectionInfo(
              new BsonBinary(new byte[16]),
              "shop",
              "orders",
              CollectionMetadata.COLLECTION,
              new BsonDocument()));

  private static Wisent server;
  private static Deployment target;

  @BeforeAll
  static void start() throws ToolException {
    server = Wisent.start();
    target =
        Deployment.connect(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(server.uri()))
                .build());
  }

  @AfterAll
  static void stop() {
    target.close();
    server.close();
  }

  @AfterEach
  void clear() {
    MigrationState.drop(target);
  }

  private static MigrationState process(String run) {
    return new MigrationState(target, run, new ShiftedClock());
  }

  private static BsonDocument stored() {
    return MigrationState.stored(target).orElseThrow();
  }

  @Test
  void oneOfTwoBegins() throws ToolException {
    process("first").begin(IDENTITY, null);
    assertThatThrownBy(() -> process("second").begin(IDENTITY, null))
        .hasMessageContaining("another process is running this migration");
    assertThat(stored().getString("run").getValue()).isEqualTo("first");
  }

  @Test
  void oneOfTwoTakesOver() throws ToolException {
    process("first").begin(IDENTITY, null);
    BsonDocument seen = stored();
    process("second").takeOver(seen);
    assertThatThrownBy(() -> process("third").takeOver(seen))
        .hasMessageContaining("another process is running this migration");
    assertThat(stored().getString("run").getValue()).isEqualTo("second");
  }

  @Test
  void aSignOfLifeKeepsOthersFromTakingOver() throws ToolException {
    MigrationState first = process("first");
    first.begin(IDENTITY, null);
    BsonDocument seen = stored();
    first.fence().beat();
    assertThatThrownBy(() -> process("second").takeOver(seen))
        .hasMessageContaining("another process is running this migration");
    process("second").takeOver(stored());
  }

  @Test
  void aProcessThatHasLostStoresNothing() throws ToolException {
    MigrationState first = process("first");
    first.begin(IDENTITY, null);
    first.fence().beat();
    first.store(MOVED);
    MigrationState second = process("second");
    second.takeOver(stored());
    second.store(MOVED.asCopied());
    assertThatThrownBy(() -> first.store(MOVED)).hasMessageContaining("another process");
    first.forget(MOVED.source());
    assertThat(second.collections()).containsExactly(MOVED.asCopied());
    assertThatThrownBy(() -> first.phase(MigrationState.Phase.DONE))
        .hasMessageContaining("another process");
  }
}
