package dev.wisent.tools;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.wisent.Wisent;
import dev.wisent.tools.command.ToolException;
import java.nio.file.Path;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write concern that fails beside documents that are there already. */
class WriteConcernTest {
  private static final String TWO_MEMBERS = "--writeConcern={w: 2, wtimeout: 100}";

  @TempDir private Path directory;

  @Test
  void itIsAFailure() throws ToolException {
    try (Wisent set = Wisent.replicaSet(1);
        MongoClient client = MongoClients.create(set.uri())) {
      client.getDatabase("shop").getCollection("c").insertOne(new Document("_id", 1));
      String uri = "--uri=" + set.uri();
      new ToolHarness().run("dump", uri, "--db=shop", "--out=" + directory);
      new ToolHarness().run("restore", uri, directory.toString());
      assertThatThrownBy(
              () -> new ToolHarness().run("restore", uri, TWO_MEMBERS, directory.toString()))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining("cannot insert into shop.c");
      assertThatThrownBy(
              () ->
                  new ToolHarness()
                      .input("{\"_id\": 1}")
                      .run("import", uri, "-d=shop", "-c=c", TWO_MEMBERS))
          .isInstanceOf(ToolException.class)
          .hasMessageContaining("cannot write to shop.c");
    }
  }
}
