package dev.wisent.server.command.plan;

import dev.wisent.server.harness.EmbeddedServer;
import java.util.ArrayList;
import org.bson.BsonDocument;

/** A collection for explains to look at, and what tests read in their replies. */
final class ExplainFixture {
  static final int DOCUMENTS = 100;

  private ExplainFixture() {}

  static void fill(EmbeddedServer server) {
    var collection = server.fresh("c");
    var documents = new ArrayList<BsonDocument>();
    for (int i = 0; i < DOCUMENTS; i++) {
      documents.add(
          BsonDocument.parse("{_id: %d, a: %d, b: %d, t: ['x', 'y']}".formatted(i, i % 10, i)));
    }
    collection.insertMany(documents);
    collection.createIndex(BsonDocument.parse("{a: 1, b: 1}"));
  }

  static BsonDocument explain(EmbeddedServer server, String command, String verbosity) {
    return server.run("{explain: " + command + ", verbosity: '" + verbosity + "'}");
  }

  /** The names of the stages from the top to the leftmost leaf. */
  static String stages(BsonDocument plan) {
    String name = plan.getString("stage").getValue();
    BsonDocument input =
        plan.containsKey("inputStages")
            ? plan.getArray("inputStages").getFirst().asDocument()
            : plan.getDocument("inputStage", null);
    return input == null ? name : name + " " + stages(input);
  }

  static int number(BsonDocument document, String name) {
    return document.getNumber(name).intValue();
  }
}
