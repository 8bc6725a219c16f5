package dev.wisent.database.oplog;

import static dev.wisent.database.TestDatabase.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.TestDatabase;
import dev.wisent.database.check.CollectionValidator;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.collection.Oplog;
import dev.wisent.database.collection.PreImages;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.InsertRequest;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.diagnostic.ValidationReport;
import dev.wisent.operation.oplog.OplogLimits;
import dev.wisent.operation.oplog.PreImageLifetime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents as they were before updates and deletions, kept for change streams. */
class PreImagesTest {
  private static final String ENABLED = "{changeStreamPreAndPostImages: {enabled: true}}";

  @TempDir Path directory;
  private TestDatabase db;

  @BeforeEach
  void open() {
    db = TestDatabase.openWithOplog(directory);
  }

  @AfterEach
  void close() {
    Collection images = db.database().catalog().find(PreImages.NAMESPACE);
    if (images != null) {
      ValidationReport report = new CollectionValidator(db.engine(), images, db.operation()).run();
      assertThat(report.isValid()).as("%s", report).isTrue();
      assertThat(report.records()).isEqualTo(images.documents());
    }
    db.assertNothingLeaks();
    db.close();
  }

  @Test
  void updatesReplacementsAndDeletionsAreKept() {
    db.create(ENABLED);
    db.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    assertThat(images()).isEmpty();
    db.update("{_id: 1}", "{$set: {a: 5}}");
    db.update("{_id: 1}", "{a: 6}");
    db.delete("{}", true);
    assertThat(images().stream().map(image -> image.getDocument("preImage")))
        .containsExactly(
            BsonDocument.parse("{_id: 1, a: 1}"),
            BsonDocument.parse("{_id: 1, a: 5}"),
            BsonDocument.parse("{_id: 1, a: 6}"),
            BsonDocument.parse("{_id: 2, a: 2}"));
  }

  @Test
  void anImageHasTheTimeOfItsOplogEntry() {
    db.create(ENABLED);
    db.insert("{_id: 1}", "{_id: 2}", "{_id: 3}");
    db.updateMany("{}", "{$set: {a: 1}}");
    List<BsonDocument> entries =
        read(
            new FindRequest.Builder()
                .filter(RawDocument.parse("{op: 'u'}"))
                .build(Oplog.NAMESPACE));
    List<BsonDocument> images = images();
    assertThat(images).hasSize(3).hasSameSizeAs(entries);
    for (int i = 0; i < images.size(); i++) {
      BsonDocument entry = entries.get(i);
      BsonDocument id = images.get(i).getDocument("_id");
      assertThat(id.keySet()).containsExactly("nsUUID", "ts", "applyOpsIndex");
      assertThat(id.get("nsUUID")).isEqualTo(entry.get("ui"));
      assertThat(id.get("ts")).isEqualTo(entry.get("ts"));
      assertThat(id.getInt64("applyOpsIndex").getValue()).isZero();
      assertThat(images.get(i).get("operationTime")).isEqualTo(entry.get("wall"));
      assertThat(images.get(i).getDocument("preImage").get("_id"))
          .isEqualTo(entry.getDocument("o2").get("_id"));
      assertThat(find(entry)).isEqualTo("{\"_id\": " + (i + 1) + "}");
    }
  }

  @Test
  void aChangeWithoutAnImageHasNone() {
    db.create(ENABLED);
    db.insert("{_id: 1}");
    assertThat(find(newestEntry())).isNull();
    db.update("{_id: 1}", "{$set: {a: 1}}");
    BsonDocument entry = newestEntry();
    assertThat(find(entry)).isNotNull();
    entry.put("ui", new BsonBinary(new byte[16]));
    assertThat(find(entry)).isNull();
  }

  @Test
  void collectionsThatHaveItOffCostNothing() {
    db.create("{}");
    db.insert("{_id: 1}");
    db.update("{_id: 1}", "{$set: {a: 1}}");
    assertThat(db.database().catalog().find(PreImages.NAMESPACE)).isNull();
  }

  @Test
  void itIsSwitchedOnAndOff() {
    db.create("{}");
    db.insert("{_id: 1}");
    options(ENABLED);
    db.update("{_id: 1}", "{$set: {a: 1}}");
    options("{}");
    db.update("{_id: 1}", "{$set: {a: 2}}");
    assertThat(images()).hasSize(1);
    List<BsonDocument> modifications =
        read(
            new FindRequest.Builder()
                .filter(RawDocument.parse("{'o.collMod': 'c'}"))
                .build(Oplog.NAMESPACE));
    assertThat(modifications.getLast().getDocument("o"))
        .isEqualTo(
            BsonDocument.parse("{collMod: 'c', changeStreamPreAndPostImages: {enabled: false}}"));
  }

  /** What fails in a batch takes its image with it. */
  @Test
  void aChangeThatFailsLeavesNoImage() {
    db.create(ENABLED);
    db.createIndex("{a: 1}", "unique");
    db.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    assertThat(db.update("{_id: 2}", "{$set: {a: 1}}").failures()).hasSize(1);
    assertThat(images()).isEmpty();
  }

  @Test
  void imagesAreReadLikeOtherDocuments() {
    db.create(ENABLED);
    db.insert("{_id: 1, a: 1}", "{_id: 2, a: 2}");
    db.delete("{}", true);
    BsonDocument second = images().get(1);
    List<BsonDocument> byId =
        read(
            new FindRequest.Builder()
                .filter(RawDocument.of(new BsonDocument("_id", second.get("_id"))))
                .build(PreImages.NAMESPACE));
    assertThat(byId).containsExactly(second);
    List<BsonDocument> sorted =
        read(
            new FindRequest.Builder()
                .sort(RawDocument.parse("{'preImage.a': -1}"))
                .build(PreImages.NAMESPACE));
    assertThat(sorted).containsExactly(second, images().getFirst());
  }

  @Test
  void onlyTheServerWritesToTheCollection() {
    db.create(ENABLED);
    db.insert("{_id: 1}");
    db.delete("{}", true);
    Collection images = db.database().catalog().find(PreImages.NAMESPACE);
    assertThatThrownBy(
            () ->
                db.database()
                    .insert(
                        db.operation(),
                        new InsertRequest(
                            PreImages.NAMESPACE,
                            List.of(RawDocument.parse("{_id: 1}")),
                            true,
                            false)))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_NAMESPACE));
    assertThatThrownBy(() -> db.database().changes().drop(images, db.operation()))
        .isInstanceOf(CommandException.class);
    assertThatThrownBy(
            () -> db.database().changes().rename(images, NAMESPACE, null, db.operation()))
        .isInstanceOf(CommandException.class);
    assertThatThrownBy(
            () ->
                db.database()
                    .changes()
                    .addIndexes(
                        images,
                        List.of(TestDatabase.indexSpec(RawDocument.parse("{a: 1}"))),
                        db.operation()))
        .isInstanceOf(CommandException.class);
  }

  @Test
  void imagesAreThereAfterARestart() {
    db.create(ENABLED);
    db.insert("{_id: 1}");
    db.delete("{}", true);
    List<BsonDocument> before = images();
    db.reopen();
    assertThat(images()).isEqualTo(before);
    db.insert("{_id: 2}");
    db.delete("{}", true);
    assertThat(images()).hasSize(2);
  }

  @Test
  void withoutALimitImagesGoWithTheirOplogEntries() {
    db.create(ENABLED);
    db.insert("{_id: 1}", "{_id: 2}");
    db.delete("{_id: 1}", false);
    assertThat(expire(PreImageLifetime.UNLIMITED)).isZero();
    for (int i = 10; i < 40; i++) {
      db.insert("{_id: " + i + ", filler: '" + "x".repeat(1000) + "'}");
    }
    db.delete("{_id: 2}", false);
    db.database().oplogTrimmer().limit(new OplogLimits(4 << 10, 0), db.operation());
    assertThat(db.database().oplogTrimmer().trim(db.operation())).isPositive();
    assertThat(expire(PreImageLifetime.UNLIMITED)).isEqualTo(1);
    assertThat(images()).hasSize(1);
    assertThat(images().getFirst().getDocument("preImage"))
        .isEqualTo(BsonDocument.parse("{_id: 2}"));
  }

  @Test
  void imagesExpireByTime() {
    db.create(ENABLED);
    db.insert("{_id: 1}");
    // The log of these tests begins in 1970.
    db.delete("{}", true);
    assertThat(expire(new PreImageLifetime(Integer.MAX_VALUE))).isZero();
    assertThat(expire(new PreImageLifetime(60))).isEqualTo(1);
    assertThat(images()).isEmpty();
    assertThat(expire(new PreImageLifetime(60))).isZero();
  }

  private long expire(PreImageLifetime lifetime) {
    OperationContext operation = db.operation();
    return db.database().oplogTrimmer().preImages().expire(lifetime, operation);
  }

  private void options(String options) {
    db.database()
        .changes()
        .modify(
            db.collection(),
            definition -> definition.withOptions(RawDocument.parse(options)),
            db.operation());
  }

  private BsonDocument newestEntry() {
    return read(FindRequest.of(Oplog.NAMESPACE, RawDocument.EMPTY)).getLast();
  }

  /** The image that belongs to an oplog entry, as JSON. */
  private String find(BsonDocument entry) {
    RawDocument image =
        PreImages.find(
            db.database().catalog(),
            db.engine(),
            RawDocument.of(entry).get("ui"),
            entry.getTimestamp("ts").getValue(),
            0);
    return image == null ? null : image.toJson();
  }

  private List<BsonDocument> images() {
    return read(FindRequest.of(PreImages.NAMESPACE, RawDocument.EMPTY));
  }

  private List<BsonDocument> read(FindRequest request) {
    var found = new ArrayList<BsonDocument>();
    db.find(request).forEach(document -> found.add(document.toBsonDocument()));
    return found;
  }
}
