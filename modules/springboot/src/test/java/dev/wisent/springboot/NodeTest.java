package dev.wisent.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import dev.wisent.Wisent;
import org.bson.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.mongodb.core.MongoTemplate;

/** The properties lead nowhere: what answers is the Wisent of the context. */
@SpringBootTest(
    classes = ShopApplication.class,
    properties = "spring.mongodb.uri=mongodb://localhost:1/shop")
@AutoConfigureWisent(parameters = "enableTestCommands=true")
class NodeTest {
  @Autowired private MongoTemplate template;
  @Autowired private MongoClient client;
  @Autowired private Wisent wisent;

  @BeforeEach
  void empty() {
    wisent.reset();
  }

  @RepeatedTest(2)
  void eachTestFindsAnEmptyServer() {
    assertThat(template.getCollection("orders").countDocuments()).isZero();
    template.insert(new Document("customer", 17), "orders");
    assertThat(template.getCollection("orders").countDocuments()).isEqualTo(1);
  }

  @Test
  void theServerHasTheParameters() {
    Document parameters =
        client
            .getDatabase("admin")
            .runCommand(Document.parse("{getParameter: 1, enableTestCommands: 1}"));
    assertThat(parameters).containsEntry("enableTestCommands", true);
  }
}
