package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Our bytes against the ones RocksDB itself makes of the same changes. */
class MutationBuilderTest {
  @TempDir Path directory;
  private DBOptions options;
  private RocksDB db;
  private final List<ColumnFamilyHandle> handles = new ArrayList<>();

  @BeforeEach
  void openDatabaseWithTheSameFamilies() throws RocksDBException {
    RocksDB.loadLibrary();
    options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true);
    List<ColumnFamilyDescriptor> families = new ArrayList<>();
    families.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    for (Keyspace keyspace : Keyspace.values()) {
      families.add(new ColumnFamilyDescriptor(keyspace.familyNameBytes()));
    }
    db = RocksDB.open(options, directory.toString(), families, handles);
  }

  @AfterEach
  void close() {
    handles.forEach(ColumnFamilyHandle::close);
    db.close();
    options.close();
  }

  @Test
  void eachKindOfChangeEqualsRocksDbsOwnBytes() throws RocksDBException {
    byte[] key = {1, 2, 3};
    byte[] value = new byte[300];
    Arrays.fill(value, (byte) 7);
    MutationBuilder builder = new MutationBuilder();
    builder
        .put(Keyspace.RECORDS, key, value)
        .delete(Keyspace.INDEX, key)
        .deleteRange(Keyspace.OPLOG, new byte[] {1}, new byte[] {2, 0})
        .add(Keyspace.CATALOG, key, -5);
    try (WriteBatch batch = new WriteBatch()) {
      batch.put(handle(Keyspace.RECORDS), key, value);
      batch.delete(handle(Keyspace.INDEX), key);
      batch.deleteRange(handle(Keyspace.OPLOG), new byte[] {1}, new byte[] {2, 0});
      batch.merge(handle(Keyspace.CATALOG), key, littleEndian(-5));
      assertThat(builder.build().batch()).isEqualTo(batch.data());
    }
  }

  @Test
  void randomBatchesEqualRocksDbsOwnBytes() throws RocksDBException {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    MutationBuilder builder = new MutationBuilder(16);
    for (int round = 0; round < 200; round++) {
      builder.reset();
      try (WriteBatch batch = new WriteBatch()) {
        int changes = random.nextInt(40);
        for (int i = 0; i < changes; i++) {
          randomChange(random, builder, batch);
        }
        assertThat(builder.build().batch()).as("seed %d", seed).isEqualTo(batch.data());
        assertThat(builder.changeCount()).isEqualTo(changes);
        assertThat(builder.sizeBytes()).isEqualTo((int) batch.getDataSize());
      }
    }
  }

  private void randomChange(SplittableRandom random, MutationBuilder builder, WriteBatch batch)
      throws RocksDBException {
    Keyspace keyspace = Keyspace.values()[random.nextInt(Keyspace.values().length)];
    ColumnFamilyHandle handle = handle(keyspace);
    byte[] key = randomBytes(random, 200);
    switch (random.nextInt(4)) {
      case 0 -> {
        // Around the lengths where a varint grows by one byte.
        byte[] value = randomBytes(random, random.nextBoolean() ? 200 : 40_000);
        byte[] padded = new byte[value.length + 9];
        System.arraycopy(value, 0, padded, 4, value.length);
        builder.put(keyspace, key, 0, key.length, padded, 4, value.length);
        batch.put(handle, key, value);
      }
      case 1 -> {
        builder.delete(keyspace, key);
        batch.delete(handle, key);
      }
      case 2 -> {
        byte[] end = randomBytes(random, 200);
        builder.deleteRange(keyspace, key, end);
        batch.deleteRange(handle, key, end);
      }
      default -> {
        long delta = random.nextLong();
        builder.add(keyspace, key, delta);
        batch.merge(handle, key, littleEndian(delta));
      }
    }
  }

  @Test
  void truncateTakesBackChangesAndTheirCount() {
    MutationBuilder builder = new MutationBuilder();
    builder.put(Keyspace.RECORDS, new byte[] {1}, new byte[10]);
    byte[] before = builder.build().batch();
    builder.oplogEntry(new byte[] {1});
    MutationBuilder.Position mark = builder.position();
    int size = builder.sizeBytes();
    builder.put(Keyspace.RECORDS, new byte[] {2}, new byte[5000]).delete(Keyspace.INDEX, before);
    builder.oplogEntry(new byte[] {2, 3});
    builder.truncate(mark);
    assertThat(builder.build().batch()).isEqualTo(before);
    assertThat(builder.build().oplogEntries()).containsExactly(new byte[] {1});
    assertThat(builder.sizeBytes()).isEqualTo(size);
    assertThat(builder.changeCount()).isEqualTo(1);
    builder.truncate(new MutationBuilder().position());
    assertThat(builder.isEmpty()).isTrue();
    assertThatThrownBy(() -> builder.truncate(mark)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void resetForgetsEverythingAndBuiltMutationsStay() {
    MutationBuilder builder = new MutationBuilder();
    builder.put(Keyspace.RECORDS, new byte[] {1}, new byte[8 << 20]).oplogEntry(new byte[] {9});
    Mutation built = builder.build();
    byte[] copy = built.batch().clone();
    builder.reset();
    assertThat(builder.isEmpty()).isTrue();
    assertThat(builder.build().oplogEntries()).isEmpty();
    builder.delete(Keyspace.RECORDS, new byte[] {1});
    assertThat(built.batch()).isEqualTo(copy);
    assertThat(built.oplogEntries()).containsExactly(new byte[] {9});
    assertThat(built.changeCount()).isEqualTo(1);
  }

  @Test
  void receivedBatchesAreChecked() {
    Mutation built =
        new MutationBuilder()
            .put(Keyspace.RECORDS, new byte[] {1}, new byte[] {2})
            .delete(Keyspace.SYSTEM, new byte[] {1})
            .deleteRange(Keyspace.INDEX, new byte[] {1}, new byte[] {2})
            .add(Keyspace.CATALOG, new byte[] {1}, 7)
            .build();
    assertThat(Mutation.ofBatch(built.batch(), List.of()).changeCount()).isEqualTo(4);
    assertThat(Mutation.ofBatch(new MutationBuilder().build().batch(), List.of()).isEmpty())
        .isTrue();
    for (int length = 0; length < built.sizeBytes(); length++) {
      byte[] cutOff = Arrays.copyOf(built.batch(), length);
      assertThatThrownBy(() -> Mutation.ofBatch(cutOff, List.of()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whateverPassesTheCheckIsAcceptedByRocksDb() throws RocksDBException {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    MutationBuilder builder = new MutationBuilder();
    builder.put(Keyspace.RECORDS, new byte[20], new byte[30]).delete(Keyspace.INDEX, new byte[9]);
    byte[] original = builder.build().batch();
    int accepted = 0;
    try (WriteOptions writeOptions = new WriteOptions()) {
      for (int i = 0; i < 5000; i++) {
        byte[] damaged = original.clone();
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
        try {
          Mutation.ofBatch(damaged, List.of());
        } catch (IllegalArgumentException e) {
          continue;
        }
        accepted++;
        try (WriteBatch batch = new WriteBatch(damaged)) {
          db.write(writeOptions, batch);
        } catch (RocksDBException e) {
          throw new AssertionError("seed " + seed, e);
        }
      }
    }
    assertThat(accepted).isBetween(100, 4900);
  }

  private ColumnFamilyHandle handle(Keyspace keyspace) {
    return handles.get(keyspace.ordinal() + 1);
  }

  private static byte[] randomBytes(SplittableRandom random, int lengthMax) {
    byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
