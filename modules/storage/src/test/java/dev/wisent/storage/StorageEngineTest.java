package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static dev.wisent.storage.Store.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.storage.StorageException.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StorageEngineTest {
  @TempDir Path directory;

  @Test
  void keepsKeyspacesApartAndDataAcrossReopening() {
    try (Store store = Store.open(directory)) {
      for (Keyspace keyspace : Keyspace.values()) {
        store.put(keyspace, "k", keyspace.name());
      }
    }
    try (Store store = Store.open(directory)) {
      for (Keyspace keyspace : Keyspace.values()) {
        assertThat(store.get(keyspace, "k")).isEqualTo(keyspace.name());
      }
      assertThat(store.get(Keyspace.RECORDS, "absent")).isNull();
    }
  }

  @Test
  void createsMissingParentDirectories() {
    try (Store store = Store.open(directory.resolve("a/b/c"))) {
      store.put(Keyspace.RECORDS, "k", "v");
      assertThat(store.get(Keyspace.RECORDS, "k")).isEqualTo("v");
    }
  }

  @Test
  void readsIntoCallersArrayAndReportsTheFullLength() {
    try (Store store = Store.open(directory)) {
      store.put(Keyspace.RECORDS, "key", "0123456789");
      byte[] paddedKey = bytes("key-and-more");
      byte[] dest = new byte[16];
      StorageEngine engine = store.engine();
      assertThat(engine.get(Keyspace.RECORDS, paddedKey, 3, dest)).isEqualTo(10);
      assertThat(text(dest)).startsWith("0123456789\0");
      assertThat(engine.get(Keyspace.RECORDS, paddedKey, 3, dest, 4)).isEqualTo(10);
      assertThat(text(dest)).startsWith("01230123456789\0");
      byte[] small = new byte[4];
      assertThat(engine.get(Keyspace.RECORDS, paddedKey, 3, small)).isEqualTo(10);
      assertThat(engine.get(Keyspace.RECORDS, paddedKey, 4, dest)).isEqualTo(-1);
      store.put(Keyspace.RECORDS, "key", "");
      assertThat(engine.get(Keyspace.RECORDS, paddedKey, 3, dest)).isZero();
      assertThat(engine.get(Keyspace.RECORDS, bytes("key"))).isEmpty();
    }
  }

  @Test
  void readsManyKeysInTheirOrder() {
    try (Store store = Store.open(directory)) {
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        String key = "k" + (i * 37 % 100);
        keys.add(bytes(key));
        if (i % 3 != 0) {
          store.put(Keyspace.RECORDS, key, "value of " + key + "x".repeat(i * 20));
        }
      }
      List<byte[]> values = store.engine().multiGet(Keyspace.RECORDS, keys);
      assertThat(values).hasSize(100);
      for (int i = 0; i < 100; i++) {
        assertThat(values.get(i)).isEqualTo(store.engine().get(Keyspace.RECORDS, keys.get(i)));
        assertThat(values.get(i) == null).isEqualTo(i % 3 == 0);
      }
      assertThat(store.engine().multiGet(Keyspace.RECORDS, List.of())).isEmpty();
    }
  }

  @Test
  void aMutationIsVisibleAsAWhole() {
    try (Store store = Store.open(directory)) {
      store.put(Keyspace.RECORDS, "a", "1");
      store.commit(
          changes ->
              changes
                  .delete(Keyspace.RECORDS, bytes("a"))
                  .put(Keyspace.RECORDS, bytes("b"), bytes("2"))
                  .put(Keyspace.INDEX, bytes("b"), bytes("3"))
                  .add(Keyspace.CATALOG, bytes("n"), 4));
      assertThat(store.get(Keyspace.RECORDS, "a")).isNull();
      assertThat(store.get(Keyspace.RECORDS, "b")).isEqualTo("2");
      assertThat(store.get(Keyspace.INDEX, "b")).isEqualTo("3");
      assertThat(store.engine().counter(Keyspace.CATALOG, bytes("n"))).isEqualTo(4);
    }
  }

  @Test
  void aSnapshotDoesNotSeeLaterChanges() {
    try (Store store = Store.open(directory)) {
      store.put(Keyspace.RECORDS, "a", "1");
      store.commit(changes -> changes.add(Keyspace.CATALOG, bytes("n"), 4));
      try (Snapshot snapshot = store.engine().snapshot()) {
        store.put(Keyspace.RECORDS, "a", "2");
        store.put(Keyspace.RECORDS, "b", "2");
        store.commit(changes -> changes.add(Keyspace.CATALOG, bytes("n"), 4));
        store.engine().flush();
        assertThat(text(snapshot.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("1");
        assertThat(snapshot.get(Keyspace.RECORDS, bytes("b"))).isNull();
        assertThat(snapshot.counter(Keyspace.CATALOG, bytes("n"))).isEqualTo(4);
        assertThat(snapshot.multiGet(Keyspace.RECORDS, List.of(bytes("a"), bytes("b"))))
            .containsExactly(bytes("1"), null);
        try (KeyValueCursor cursor = snapshot.cursor(Keyspace.RECORDS, null, null, false)) {
          assertThat(cursor.next()).isTrue();
          assertThat(text(cursor.copyValue())).isEqualTo("1");
          assertThat(cursor.next()).isFalse();
        }
        assertThat(store.get(Keyspace.RECORDS, "a")).isEqualTo("2");
        try (Snapshot later = store.engine().snapshot()) {
          assertThat(later.sequence()).isGreaterThan(snapshot.sequence());
        }
      }
    }
  }

  @Test
  void whatIsReadOnceStaysOutOfTheCaches() {
    try (Store store = Store.open(directory)) {
      String value = "x".repeat(1000);
      for (int i = 0; i < 2000; i++) {
        store.put(Keyspace.RECORDS, "key" + i, value + i);
      }
      store.engine().flush();
      long before = cached(store);
      try (Snapshot once = store.engine().uncachedSnapshot()) {
        assertThat(once.cacheSequence()).isEqualTo(ReadView.NOT_CACHED);
        assertThat(readAll(once)).isEqualTo(2000);
        assertThat(once.get(Keyspace.RECORDS, bytes("key7"))).isNotNull();
      }
      long kept = cached(store) - before;
      assertThat(kept).as("the data are 2 MB").isLessThan(200_000);
      try (Snapshot often = store.engine().snapshot()) {
        assertThat(readAll(often)).isEqualTo(2000);
      }
      assertThat(cached(store) - before).isGreaterThan(1_000_000);
    }
  }

  private static long cached(Store store) {
    return store.engine().properties().get("cache.usedBytes");
  }

  private static int readAll(Snapshot snapshot) {
    int count = 0;
    try (KeyValueCursor cursor = snapshot.cursor(Keyspace.RECORDS, null, null, false)) {
      while (cursor.next()) {
        count++;
      }
    }
    return count;
  }

  @Test
  void aSharedSnapshotLastsUntilTheLastIsClosed() {
    try (Store store = Store.open(directory)) {
      store.put(Keyspace.RECORDS, "a", "1");
      Snapshot first = store.engine().snapshot();
      Snapshot second = first.share();
      store.put(Keyspace.RECORDS, "a", "2");
      first.close();
      first.close();
      store.engine().compact(Keyspace.RECORDS, null, null);
      assertThat(text(second.get(Keyspace.RECORDS, bytes("a")))).isEqualTo("1");
      assertThat(second.sequence()).isEqualTo(first.sequence());
      second.close();
      assertThatThrownBy(second::share).isInstanceOf(StorageException.class);
    }
  }

  @Test
  void everythingThrowsClosedAfterClose() {
    Store store = Store.open(directory);
    store.put(Keyspace.RECORDS, "a", "1");
    StorageEngine engine = store.engine();
    Snapshot snapshot = engine.snapshot();
    KeyValueCursor cursor = engine.cursor(Keyspace.RECORDS, null, null, false);
    KeyValueCursor ofSnapshot = snapshot.cursor(Keyspace.RECORDS, null, null, true);
    assertThat(cursor.next()).isTrue();
    store.close();
    byte[] key = bytes("a");
    List<ThrowingCallable> calls =
        List.of(
            () -> engine.get(Keyspace.RECORDS, key),
            () -> engine.get(Keyspace.RECORDS, key, 1, new byte[9]),
            () -> engine.multiGet(Keyspace.RECORDS, List.of(key)),
            () -> engine.counter(Keyspace.CATALOG, key),
            () -> engine.cursor(Keyspace.RECORDS, null, null, false),
            engine::snapshot,
            engine::flush,
            engine::properties,
            engine::diskBytes,
            () -> engine.checkpoint(directory.resolve("copy")),
            () -> engine.compact(Keyspace.RECORDS, null, null),
            () -> engine.approximateBytes(Keyspace.RECORDS, null, null),
            () -> engine.dropRange(Keyspace.RECORDS, key, bytes("b")),
            () -> snapshot.get(Keyspace.RECORDS, key),
            () -> snapshot.cursor(Keyspace.RECORDS, null, null, false),
            cursor::next,
            cursor::key,
            () -> cursor.seek(key),
            ofSnapshot::next,
            () -> store.put(Keyspace.RECORDS, "a", "2"));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              StorageException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOSED));
    }
    cursor.close();
    ofSnapshot.close();
    snapshot.close();
    engine.close();
  }

  @Test
  void aClosedSnapshotOrCursorThrowsClosed() {
    try (Store store = Store.open(directory)) {
      Snapshot snapshot = store.engine().snapshot();
      KeyValueCursor cursor = snapshot.cursor(Keyspace.RECORDS, null, null, false);
      snapshot.close();
      snapshot.close();
      assertThatThrownBy(() -> snapshot.get(Keyspace.RECORDS, bytes("a")))
          .hasMessageContaining("snapshot is closed");
      assertThat(cursor.next()).isFalse();
      cursor.close();
      cursor.close();
      assertThatThrownBy(cursor::next).hasMessageContaining("cursor is closed");
    }
  }
}
