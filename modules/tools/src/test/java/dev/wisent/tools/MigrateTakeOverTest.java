package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Updates;
import dev.wisent.Wisent;
import java.time.Duration;
import java.util.function.BiConsumer;
import org.bson.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that has lost the migration while it stood still writes nothing more. */
class MigrateTakeOverTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noDocumentsAreWrittenAfterTheLoss(boolean suspended) {
    BiConsumer<ShiftedClock, Duration> stop =
        suspended ? ShiftedClock::passWhileSuspended : ShiftedClock::pass;
    try (Wisent source = Wisent.start();
        Wisent target = Wisent.start();
        MongoClient from = MongoClients.create(source.uri());
        MongoClient to = MongoClients.create(target.uri())) {
      SampleData.fill(from, "shop");
      var clock = new ShiftedClock();
      var tool = new ToolHarness().clock(clock);
      tool.onMessage(
          "copying shop.orders",
          () -> {
            to.getDatabase("wisent_migrate")
                .getCollection("state")
                .updateOne(new Document("_id", "migration"), Updates.set("run", "another"));
            stop.accept(clock, LONG);
          });
      assertThatThrownBy(
              () -> tool.run("migrate", source.uri(), "--uri=" + target.uri(), "--noFollow", "-j1"))
          .hasMessageContaining("another process has taken over");
      assertThat(to.getDatabase("shop").getCollection("orders").countDocuments()).isZero();
    }
  }
}
