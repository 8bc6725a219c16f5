package dev.wisent.database.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.database.Finds;
import dev.wisent.database.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents that outgrow the arrays they are read into, and such that fill them exactly. */
class LargeDocumentsTest {
  private final List<RawDocument> documents = new ArrayList<>();
  private TestDatabase database;

  @BeforeEach
  void open(@TempDir Path directory) {
    database = TestDatabase.open(directory);
    database.create("{}");
    database.createIndex("{a: 1}");
    for (int id = 0; id < 60; id++) {
      int length = id % 3 == 0 ? 5_000 : 100 * id;
      documents.add(
          RawDocument.parse(
              "{_id: %d, a: %d, s: '%s'}"
                  .formatted(id, -id, Integer.toString(id % 10).repeat(length))));
    }
    assertThat(database.insert(true, documents).failures()).isEmpty();
  }

  @AfterEach
  void close() {
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  @Test
  void everyPlanReturnsThemWhole() {
    for (Finds find :
        List.of(
            Finds.all().hint("{$natural: 1}"),
            Finds.all().hint("{a: 1}").sort("{_id: 1}"),
            Finds.all().hint("{$natural: -1}").sort("{_id: 1}"),
            Finds.all().hint("{$natural: -1}").sort("{_id: 1}").limit(60),
            Finds.of("{a: {$lte: 0}}").sort("{a: -1}"))) {
      assertThat(database.find(find.toRequest())).isEqualTo(documents);
    }
    for (RawDocument document : documents) {
      Finds byId = Finds.of("{_id: %d}".formatted(document.get("_id").asInt32()));
      assertThat(database.find(byId.toRequest())).containsExactly(document);
    }
  }

  @Test
  void updatesAndDeletesReadThemWhole() {
    assertThat(database.updateMany("{a: {$lte: 0}}", "{$inc: {a: 1}}").modified()).isEqualTo(60);
    List<RawDocument> after = database.find(Finds.all().toRequest());
    for (int id = 0; id < 60; id++) {
      assertThat(after.get(id).get("s")).isEqualTo(documents.get(id).get("s"));
      assertThat(after.get(id).get("a").asInt32()).isEqualTo(1 - id);
    }
    assertThat(database.delete("{a: {$lt: -20}}", true).matched()).isEqualTo(38);
  }
}
