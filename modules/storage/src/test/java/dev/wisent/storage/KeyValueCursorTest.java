package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static dev.wisent.storage.Store.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyValueCursorTest {
  @TempDir Path directory;
  private Store store;

  @BeforeEach
  void open() {
    store = Store.open(directory);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void walksForwardAndBackwardWithinBounds() {
    fill("a", "b", "c", "d", "e");
    assertThat(keys(null, null, false)).containsExactly("a", "b", "c", "d", "e");
    assertThat(keys(null, null, true)).containsExactly("e", "d", "c", "b", "a");
    assertThat(keys("b", "d", false)).containsExactly("b", "c");
    assertThat(keys("b", "d", true)).containsExactly("c", "b");
    assertThat(keys("bb", null, false)).containsExactly("c", "d", "e");
    assertThat(keys(null, "bb", true)).containsExactly("b", "a");
    assertThat(keys("x", "z", false)).isEmpty();
    assertThat(keys("c", "c", true)).isEmpty();
  }

  @Test
  void seeksInItsDirectionAndStaysWithinBounds() {
    fill("a", "c", "e", "g", "i");
    try (KeyValueCursor cursor = cursor("b", "h", false)) {
      assertThat(seek(cursor, "d")).isEqualTo("e");
      assertThat(step(cursor)).isEqualTo("g");
      assertThat(step(cursor)).isNull();
      assertThat(seek(cursor, "c")).as("back, and exact").isEqualTo("c");
      assertThat(seek(cursor, "a")).as("below the bound").isEqualTo("c");
      assertThat(seek(cursor, "i")).as("above the bound").isNull();
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.seek(bytes("ezz"), 1)).as("length is honoured").isTrue();
      assertThat(text(cursor.copyKey())).isEqualTo("e");
    }
    try (KeyValueCursor cursor = cursor("b", "h", true)) {
      assertThat(seek(cursor, "f")).isEqualTo("e");
      assertThat(step(cursor)).isEqualTo("c");
      assertThat(step(cursor)).isNull();
      assertThat(seek(cursor, "g")).isEqualTo("g");
      assertThat(seek(cursor, "z")).as("above the bound").isEqualTo("g");
      assertThat(seek(cursor, "a")).as("below the bound").isNull();
    }
  }

  @Test
  void growsItsArraysForLargeEntriesAndReusesThem() {
    byte[] largeKey = new byte[5000];
    byte[] largeValue = new byte[100_000];
    Arrays.fill(largeKey, (byte) 'k');
    Arrays.fill(largeValue, (byte) 'v');
    store.put(Keyspace.RECORDS, "a", "small");
    store.commit(changes -> changes.put(Keyspace.RECORDS, largeKey, largeValue));
    store.put(Keyspace.RECORDS, "z", "");
    try (KeyValueCursor cursor = cursor(null, null, false)) {
      assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
      cursor.next();
      assertThat(cursor.keyLength()).isEqualTo(1);
      assertThat(cursor.valueLength()).isEqualTo(5);
      byte[] dest = new byte[10];
      assertThat(cursor.readValue(dest, 5)).isEqualTo(5);
      assertThat(text(dest)).isEqualTo("\0\0\0\0\0small");
      cursor.next();
      assertThat(cursor.readValue(dest, 0)).isEqualTo(100_000);
      assertThat(cursor.copyKey()).isEqualTo(largeKey);
      assertThat(cursor.copyValue()).isEqualTo(largeValue);
      byte[] grown = cursor.value();
      cursor.next();
      assertThat(cursor.value()).isSameAs(grown);
      assertThat(cursor.valueLength()).isZero();
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void keepsTheStateOfItsOpeningWhenTheStoreChanges() {
    fill("a", "b", "c");
    try (KeyValueCursor cursor = cursor(null, null, false)) {
      fill("aa", "d");
      store.commit(changes -> changes.deleteRange(Keyspace.RECORDS, bytes("b"), bytes("d")));
      store.engine().flush();
      store.engine().compact(Keyspace.RECORDS, null, null);
      assertThat(rest(cursor)).containsExactly("a", "b", "c");
    }
    assertThat(keys(null, null, false)).containsExactly("a", "aa", "d");
  }

  @Test
  void agreesWithASortedMapOnRandomWalks() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    NavigableMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    MutationBuilder builder = new MutationBuilder();
    for (int i = 0; i < 3000; i++) {
      byte[] key = randomKey(random);
      byte[] value = new byte[random.nextInt(50)];
      random.nextBytes(value);
      builder.put(Keyspace.INDEX, key, value);
      expected.put(key, value);
      if (i % 1000 == 999) {
        store.log().submit(builder.build());
        builder.reset();
        store.engine().flush();
      }
    }
    for (int round = 0; round < 300; round++) {
      byte[] lower = random.nextInt(4) == 0 ? null : randomKey(random);
      byte[] upper = random.nextInt(4) == 0 ? null : randomKey(random);
      boolean reverse = random.nextBoolean();
      NavigableMap<byte[], byte[]> range = range(expected, lower, upper, reverse);
      ScanHint hint = random.nextBoolean() ? ScanHint.RANGE : ScanHint.BULK;
      try (KeyValueCursor cursor =
          store.engine().cursor(Keyspace.INDEX, lower, upper, reverse, hint)) {
        byte[] current = null;
        for (int step = 0; step < 30; step++) {
          byte[] next;
          if (random.nextInt(5) == 0) {
            byte[] target = randomKey(random);
            next = range.ceilingKey(target);
            assertThat(cursor.seek(target)).as("seed %d", seed).isEqualTo(next != null);
          } else {
            next =
                current == null
                    ? (range.isEmpty() ? null : range.firstKey())
                    : range.higherKey(current);
            assertThat(cursor.next()).as("seed %d", seed).isEqualTo(next != null);
          }
          if (next == null) {
            break;
          }
          current = next;
          assertThat(cursor.copyKey()).as("seed %d", seed).isEqualTo(next);
          assertThat(cursor.copyValue()).as("seed %d", seed).isEqualTo(range.get(next));
        }
      }
    }
  }

  @Test
  void readsManyEntriesAtOnceFromWhereItWasMovedTo() {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    NavigableMap<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    MutationBuilder builder = new MutationBuilder();
    for (int i = 0; i < 500; i++) {
      byte[] key = randomKey(random);
      // Some do not fit with others, and some not into a batch as it is.
      byte[] value = new byte[random.nextInt(random.nextInt(50) == 0 ? 2 << 20 : 3000)];
      random.nextBytes(value);
      builder.put(Keyspace.INDEX, key, value);
      expected.put(key, value);
    }
    store.log().submit(builder.build());
    for (int round = 0; round < 50; round++) {
      boolean reverse = random.nextBoolean();
      NavigableMap<byte[], byte[]> range = range(expected, null, null, reverse);
      try (KeyValueCursor cursor = store.engine().cursor(Keyspace.INDEX, null, null, reverse)) {
        EntryBatch batch = new EntryBatch();
        byte[] next = range.firstKey();
        while (next != null) {
          if (random.nextInt(10) == 0) {
            next = range.ceilingKey(randomKey(random));
            assertThat(next == null || cursor.seek(next)).as("seed %d", seed).isTrue();
          }
          if (next != null && random.nextInt(10) == 0) {
            byte[] before = range.lowerKey(next);
            assertThat(before == null || (cursor.seek(before) && cursor.next()))
                .as("seed %d", seed)
                .isTrue();
          }
          if (next != null) {
            assertThat(cursor.read(batch)).as("seed %d", seed).isTrue();
          }
          for (int i = 0; next != null && i < batch.count(); i++) {
            int key = batch.keyOffset(i);
            int value = batch.valueOffset(i);
            byte[] bytes = batch.bytes();
            assertThat(Arrays.copyOfRange(bytes, key, value)).as("seed %d", seed).isEqualTo(next);
            assertThat(Arrays.copyOfRange(bytes, value, value + batch.valueLength(i)))
                .as("seed %d", seed)
                .isEqualTo(range.get(next));
            next = range.higherKey(next);
          }
        }
        assertThat(next).isNull();
      }
    }
  }

  @Test
  void endsWithAnEmptyBatch() {
    fill("a", "b", "c");
    EntryBatch batch = new EntryBatch();
    try (KeyValueCursor cursor = cursor("b", null, false)) {
      int read = 0;
      while (cursor.read(batch)) {
        read += batch.count();
      }
      assertThat(read).isEqualTo(2);
      assertThat(batch.count()).isZero();
      assertThat(cursor.read(batch)).isFalse();
      assertThat(cursor.seek(bytes("c"))).isTrue();
      assertThat(cursor.read(batch)).isTrue();
      assertThat(batch.count()).isOne();
    }
  }

  @Test
  void readsKeysWithoutTheirValues() {
    fill("a", "bb", "ccc", "dddd");
    EntryBatch batch = EntryBatch.ofKeys();
    var keys = new StringBuilder();
    try (KeyValueCursor cursor = cursor("bb", null, false)) {
      while (cursor.read(batch)) {
        for (int i = 0; i < batch.count(); i++) {
          keys.append(new String(batch.bytes(), batch.keyOffset(i), batch.keyLength(i), US_ASCII));
          assertThat(batch.valueLength(i)).isZero();
        }
      }
    }
    assertThat(keys).hasToString("bbcccdddd");
  }

  private static NavigableMap<byte[], byte[]> range(
      NavigableMap<byte[], byte[]> map, byte[] lower, byte[] upper, boolean reverse) {
    if (lower != null && upper != null && Arrays.compareUnsigned(lower, upper) > 0) {
      return new TreeMap<>(map.comparator());
    }
    NavigableMap<byte[], byte[]> range = lower == null ? map : map.tailMap(lower, true);
    range = upper == null ? range : range.headMap(upper, false);
    return reverse ? range.descendingMap() : range;
  }

  private static byte[] randomKey(SplittableRandom random) {
    byte[] key = new byte[1 + random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(16) * 17);
    }
    return key;
  }

  private void fill(String... keys) {
    for (String key : keys) {
      store.put(Keyspace.RECORDS, key, "value of " + key);
    }
  }

  private KeyValueCursor cursor(String lower, String upper, boolean reverse) {
    return store
        .engine()
        .cursor(
            Keyspace.RECORDS,
            lower == null ? null : bytes(lower),
            upper == null ? null : bytes(upper),
            reverse);
  }

  private List<String> keys(String lower, String upper, boolean reverse) {
    try (KeyValueCursor cursor = cursor(lower, upper, reverse)) {
      return rest(cursor);
    }
  }

  private static List<String> rest(KeyValueCursor cursor) {
    List<String> keys = new ArrayList<>();
    for (String key = step(cursor); key != null; key = step(cursor)) {
      keys.add(key);
    }
    return keys;
  }

  private static String step(KeyValueCursor cursor) {
    return cursor.next() ? checked(cursor) : null;
  }

  private static String seek(KeyValueCursor cursor, String key) {
    return cursor.seek(bytes(key)) ? checked(cursor) : null;
  }

  private static String checked(KeyValueCursor cursor) {
    String key = text(cursor.copyKey());
    assertThat(text(cursor.copyValue())).isEqualTo("value of " + key);
    return key;
  }
}
