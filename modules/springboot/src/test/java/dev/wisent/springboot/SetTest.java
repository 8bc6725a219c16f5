package dev.wisent.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest(classes = ShopApplication.class)
@AutoConfigureWisent(members = 3, database = "shop")
class SetTest {
  @Autowired private MongoTemplate template;
  @Autowired private MongoTransactionManager transactions;

  @Test
  void aTransactionThatFailsLeavesNothing() {
    template.insert(new Document("_id", "before"), "orders");
    var transaction = new TransactionTemplate(transactions);
    assertThatThrownBy(
            () ->
                transaction.executeWithoutResult(
                    status -> {
                      template.insert(new Document("_id", "inside"), "orders");
                      throw new IllegalStateException("meant to fail");
                    }))
        .hasMessage("meant to fail");
    assertThat(template.findAll(Document.class, "orders"))
        .extracting(order -> order.get("_id"))
        .containsExactly("before");
    assertThat(template.getDb().getName()).isEqualTo("shop");
    Document status = template.executeCommand(new Document("hello", 1));
    assertThat(status.getList("hosts", String.class)).hasSize(3);
  }
}
