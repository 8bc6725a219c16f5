package dev.wisent.conformance.driver;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoGridFSException;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.GridFSDownloadStream;
import com.mongodb.client.gridfs.model.GridFSFile;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Random;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(DriverFixture.Extension.class)
class GridFsTest {

  private static final int FILE_BYTES = 3 * 1024 * 1024 + 17;
  private static final int CHUNK_BYTES = 16 * 1024;

  @Test
  void uploadsAndDownloads(DriverFixture fixture) {
    byte[] content = randomBytes(FILE_BYTES);
    GridFSBucket bucket = GridFSBuckets.create(fixture.database(), "media");

    ObjectId id = upload(bucket, "film.bin", content);

    GridFSFile file = bucket.find(eq("filename", "film.bin")).first();
    assertThat(file).isNotNull();
    assertThat(file.getLength()).isEqualTo(FILE_BYTES);
    assertThat(file.getChunkSize()).isEqualTo(CHUNK_BYTES);
    assertThat(file.getMetadata()).isEqualTo(new Document("kind", "random"));
    int chunks = (FILE_BYTES + CHUNK_BYTES - 1) / CHUNK_BYTES;
    assertThat(fixture.collection("media.chunks").countDocuments()).isEqualTo(chunks);
    assertThat(download(bucket, id)).isEqualTo(content);
  }

  @Test
  void createsTheIndexesOfTheSpecification(DriverFixture fixture) {
    upload(GridFSBuckets.create(fixture.database()), "a", randomBytes(10));

    assertThat(fixture.collection("fs.files").listIndexes())
        .extracting(index -> index.get("key", Document.class))
        .contains(new Document("filename", 1).append("uploadDate", 1));
    assertThat(fixture.collection("fs.chunks").listIndexes())
        .anySatisfy(
            index -> {
              assertThat(index.get("key")).isEqualTo(new Document("files_id", 1).append("n", 1));
              assertThat(index.getBoolean("unique")).isTrue();
            });
  }

  @Test
  void readsFromTheMiddle(DriverFixture fixture) throws IOException {
    byte[] content = randomBytes(200_000);
    GridFSBucket bucket = GridFSBuckets.create(fixture.database());
    ObjectId id = upload(bucket, "middle", content);

    try (GridFSDownloadStream stream = bucket.openDownloadStream(id)) {
      long skipped = stream.skip(100_001);
      assertThat(skipped).isEqualTo(100_001);
      assertThat(stream.read()).isEqualTo(content[100_001] & 0xff);
    }
  }

  @Test
  void keepsRevisionsAndRenames(DriverFixture fixture) {
    GridFSBucket bucket = GridFSBuckets.create(fixture.database());
    upload(bucket, "report", new byte[] {1});
    ObjectId second = upload(bucket, "report", new byte[] {2});

    ByteArrayOutputStream newest = new ByteArrayOutputStream();
    bucket.downloadToStream("report", newest);
    assertThat(newest.toByteArray()).containsExactly(2);

    bucket.rename(second, "summary");
    assertThat(bucket.find(eq("filename", "summary")).first().getObjectId()).isEqualTo(second);
    assertThat(bucket.find(eq("filename", "report")))
        .extracting(GridFSFile::getLength)
        .containsExactly(1L);
  }

  @Test
  void deletes(DriverFixture fixture) {
    GridFSBucket bucket = GridFSBuckets.create(fixture.database());
    ObjectId id = upload(bucket, "gone", randomBytes(100_000));
    ObjectId kept = upload(bucket, "kept", randomBytes(100_000));

    bucket.delete(id);

    assertThat(fixture.collection("fs.chunks").countDocuments(eq("files_id", id))).isZero();
    assertThat(download(bucket, kept)).hasSize(100_000);
    assertThatThrownBy(() -> download(bucket, id)).isInstanceOf(MongoGridFSException.class);
    assertThatThrownBy(() -> bucket.delete(id)).isInstanceOf(MongoGridFSException.class);
  }

  private static ObjectId upload(GridFSBucket bucket, String name, byte[] content) {
    return bucket.uploadFromStream(
        name,
        new ByteArrayInputStream(content),
        new GridFSUploadOptions()
            .chunkSizeBytes(CHUNK_BYTES)
            .metadata(new Document("kind", "random")));
  }

  private static byte[] download(GridFSBucket bucket, ObjectId id) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    bucket.downloadToStream(id, out);
    return out.toByteArray();
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
