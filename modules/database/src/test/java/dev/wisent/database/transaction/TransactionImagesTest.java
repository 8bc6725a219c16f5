package dev.wisent.database.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.collection.PreImages;
import dev.wisent.operation.FindRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of documents that a transaction changes. */
class TransactionImagesTest {
  @TempDir Path directory;
  private TestDatabase db;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
    db.create("{changeStreamPreAndPostImages: {enabled: true}}");
    db.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
  }

  @AfterEach
  void close() {
    db.assertNothingLeaks();
    db.close();
  }

  private List<RawDocument> images() {
    return db.find(FindRequest.of(PreImages.NAMESPACE, RawDocument.EMPTY));
  }

  /** The image of an operation of the newest entry, as JSON. */
  private String image(int position) {
    RawDocument entry = db.find(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY)).getLast();
    RawValue uuid =
        entry.get("o").asDocument().get("applyOps").asDocument().get("0").asDocument().get("ui");
    RawDocument image =
        PreImages.find(
            db.database().catalog(), db.engine(), uuid, entry.get("ts").asInt64(), position);
    return image == null ? null : image.toJson();
  }

  @Test
  void theyAreFoundByTheirPlaceInTheEntry() {
    TestTransaction transaction = TestTransaction.of(db);
    transaction.insert("{_id: 3}");
    transaction.update("{_id: 1}", "{$set: {a: 10}}");
    transaction.update("{_id: 1}", "{$set: {a: 11}}");
    transaction.delete("{_id: 2}", false);
    assertThat(images()).isEmpty();
    transaction.commit();
    assertThat(image(0)).isNull();
    assertThat(image(1)).isEqualTo("{\"_id\": 1, \"a\": 1}");
    assertThat(image(2)).isEqualTo("{\"_id\": 1, \"a\": 10}");
    assertThat(image(3)).isEqualTo("{\"_id\": 2, \"a\": 2}");
    assertThat(image(4)).isNull();
    assertThat(images()).hasSize(3);
    assertThat(db.database().catalog().find(PreImages.NAMESPACE).documents()).isEqualTo(3);
  }

  @Test
  void anAbortedTransactionLeavesNone() {
    TestTransaction transaction = TestTransaction.of(db);
    transaction.delete("{_id: 2}", false);
    transaction.abort();
    assertThat(images()).isEmpty();
  }

  @Test
  void imagesOfTransactionsThatFollowEachOtherStayApart() {
    for (int i = 0; i < 3; i++) {
      TestTransaction transaction = TestTransaction.of(db);
      transaction.update("{_id: 1}", "{$inc: {a: 1}}");
      transaction.update("{_id: 2}", "{$inc: {a: 1}}");
      transaction.commit();
      assertThat(image(0)).isEqualTo("{\"_id\": 1, \"a\": " + (1 + i) + "}");
      assertThat(image(1)).isEqualTo("{\"_id\": 2, \"a\": " + (2 + i) + "}");
    }
    assertThat(images()).hasSize(6);
  }
}
