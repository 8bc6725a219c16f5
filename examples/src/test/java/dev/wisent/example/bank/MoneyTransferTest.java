package dev.wisent.example.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import dev.wisent.Wisent;
import dev.wisent.example.bank.MoneyTransfer.NotEnoughMoney;
import dev.wisent.example.bank.MoneyTransfer.Summary;
import dev.wisent.server.ServerOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a set of one member: transactions need a replica set. */
class MoneyTransferTest {
  @TempDir private static Path directory;
  private static Wisent wisent;
  private static MongoClient client;

  private MongoDatabase database;
  private MoneyTransfer bank;

  @BeforeAll
  static void start() {
    wisent = Wisent.start(ServerOptions.builder(directory).port(0).replicaSet("rs0").build());
    String address = "127.0.0.1:" + wisent.port();
    try (MongoClient direct = MongoClients.create(wisent.uri())) {
      direct
          .getDatabase("admin")
          .runCommand(
              new Document(
                  "replSetInitiate",
                  new Document("_id", "rs0")
                      .append("members", List.of(new Document("_id", 0).append("host", address)))));
    }
    client = MongoClients.create("mongodb://" + address + "/?replicaSet=rs0");
  }

  @AfterAll
  static void stop() {
    client.close();
    wisent.close();
  }

  @BeforeEach
  void accounts() {
    database = client.getDatabase("bank_test");
    database.drop();
    bank = new MoneyTransfer(client, database);
    bank.open("ada", 100);
    bank.open("ben", 20);
  }

  @Test
  void moneyMoves() {
    bank.transfer("ada", "ben", 30);
    bank.transfer("ben", "ada", 5);

    assertThat(bank.summary()).isEqualTo(new Summary(Map.of("ada", 75L, "ben", 45L), 2, 35));
  }

  @Test
  void aTransferWithoutMoneyHasNoEffect() {
    assertThatThrownBy(() -> bank.transfer("ben", "ada", 21)).isInstanceOf(NotEnoughMoney.class);

    assertThat(bank.summary()).isEqualTo(new Summary(Map.of("ada", 100L, "ben", 20L), 0, 0));
  }

  @Test
  void aTransferThatFailsInTheMiddleHasNoEffect() {
    database.runCommand(
        new Document("collMod", "accounts")
            .append("validator", Document.parse("{cents: {$lte: 110}}")));

    assertThatThrownBy(() -> bank.transfer("ben", "ada", 11));

    assertThat(bank.summary()).isEqualTo(new Summary(Map.of("ada", 100L, "ben", 20L), 0, 0));
  }

  @Test
  void theTotalStaysWhateverTheClerksDo() {
    var bytes = new ByteArrayOutputStream();
    MoneyTransferMain.play(client, database, new PrintStream(bytes, true, StandardCharsets.UTF_8));

    assertThat(bytes.toString(StandardCharsets.UTF_8).lines().map(String::strip))
        .contains("In the morning:", "ada has 100.00", "In the evening:")
        .filteredOn(line -> line.startsWith("all have 400.00"))
        .hasSize(2);
  }
}
