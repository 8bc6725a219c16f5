package dev.wisent.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class WisentRegistrarTest {
  @AutoConfigureWisent(shards = 2)
  static class TwoShards {}

  @AutoConfigureWisent(members = 3, shards = 2)
  static class Both {}

  @AutoConfigureWisent(members = -1)
  static class Negative {}

  @AutoConfigureWisent(parameters = "enableTestCommands")
  static class NoParameter {}

  @Test
  void theServersEndWithTheContext() {
    Wisent wisent;
    try (var context = new AnnotationConfigApplicationContext(TwoShards.class)) {
      wisent = context.getBean(Wisent.class);
      MongoConnectionDetails details = context.getBean(MongoConnectionDetails.class);
      assertThat(details.getConnectionString().getConnectionString()).isEqualTo(wisent.uri("test"));
      try (MongoClient client = MongoClients.create(details.getConnectionString())) {
        assertThat(
                client
                    .getDatabase("admin")
                    .runCommand(new Document("listShards", 1))
                    .getList("shards", Document.class))
            .hasSize(2);
      }
    }
    try (MongoClient client = MongoClients.create(wisent.uri() + "?serverSelectionTimeoutMS=200")) {
      assertThatThrownBy(() -> client.listDatabaseNames().first())
          .hasMessageContaining("Timed out");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Both | members are for a replica set, and shards for a cluster; give one",
        "Negative | members and shards are at least 0",
        "NoParameter | parameter 'enableTestCommands' is not name=value"
      })
  void whatCannotBeGivenIsRefused(String configuration, String expected) throws Exception {
    Class<?> type = Class.forName(WisentRegistrarTest.class.getName() + "$" + configuration);
    assertThatThrownBy(() -> new AnnotationConfigApplicationContext(type))
        .hasStackTraceContaining(expected);
  }
}
