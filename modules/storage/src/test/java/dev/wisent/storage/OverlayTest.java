package dev.wisent.storage;

import static dev.wisent.storage.Store.bytes;
import static dev.wisent.storage.Store.text;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The same changes give the same view, whether the store has them or an overlay does. {@code
 * -Dwisent.seed} repeats a run.
 */
class OverlayTest {
  private static final Keyspace KEYS = Keyspace.INDEX;
  private static final int ROUNDS = 40;
  private static final int CHANGES = 60;
  private static final int LETTERS = 4;
  private static final byte[] COUNTER = bytes("counter");

  @TempDir Path directory;
  private Store store;
  private final long seed = Long.getLong("wisent.seed", System.nanoTime());
  private final SplittableRandom random = new SplittableRandom(seed);

  @BeforeEach
  void open() {
    store = Store.open(directory);
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void showsWhatTheStoreWouldShow() {
    for (int round = 0; round < ROUNDS; round++) {
      store.log().submit(randomChanges()).awaitApplied();
      var overlay = new Overlay();
      Snapshot before = store.engine().snapshot();
      Mutation changes = randomChanges();
      overlay.add(changes);
      store.log().submit(changes).awaitApplied();
      try (FixedView held = overlay.over(before);
          Snapshot stored = store.engine().snapshot();
          FixedView shared = held.share()) {
        String what = "seed " + seed + ", round " + round;
        for (FixedView view : List.of(held, shared)) {
          assertThat(points(view)).as(what).isEqualTo(points(stored));
          assertThat(view.counter(Keyspace.CATALOG, COUNTER))
              .as(what)
              .isEqualTo(stored.counter(Keyspace.CATALOG, COUNTER));
        }
        for (int i = 0; i < 20; i++) {
          byte[] lower = random.nextInt(3) == 0 ? null : key();
          byte[] upper = random.nextInt(3) == 0 ? null : key();
          boolean reverse = random.nextBoolean();
          assertThat(scan(held, lower, upper, reverse))
              .as(what)
              .isEqualTo(scan(stored, lower, upper, reverse));
          byte[] target = key();
          assertThat(seeks(held, lower, upper, reverse, target))
              .as(what)
              .isEqualTo(seeks(stored, lower, upper, reverse, target));
          assertThat(batches(held, lower, upper, reverse))
              .as(what)
              .isEqualTo(batches(stored, lower, upper, reverse));
        }
      }
    }
  }

  @Test
  void aViewAndItsCursorsDoNotShowLaterChanges() {
    store
        .log()
        .submit(new MutationBuilder().put(KEYS, bytes("b"), bytes("1")).build())
        .awaitApplied();
    var overlay = new Overlay();
    overlay.add(
        new MutationBuilder()
            .put(KEYS, bytes("a"), bytes("1"))
            .put(KEYS, bytes("c"), bytes("1"))
            .add(Keyspace.CATALOG, COUNTER, 3)
            .build());
    try (FixedView view = overlay.over(store.engine().snapshot());
        KeyValueCursor cursor = view.cursor(KEYS, null, null, false)) {
      assertThat(cursor.next()).isTrue();
      overlay.add(
          new MutationBuilder()
              .put(KEYS, bytes("a"), bytes("2"))
              .delete(KEYS, bytes("b"))
              .put(KEYS, bytes("bb"), bytes("2"))
              .delete(KEYS, bytes("c"))
              .add(Keyspace.CATALOG, COUNTER, 4)
              .build());
      assertThat(rest(cursor)).containsExactly("b=1", "c=1");
      assertThat(scan(view, null, null, false)).containsExactly("a=1", "b=1", "c=1");
      assertThat(view.counter(Keyspace.CATALOG, COUNTER)).isEqualTo(3);
      try (FixedView newer = overlay.over(store.engine().snapshot())) {
        assertThat(scan(newer, null, null, true)).containsExactly("bb=2", "a=2");
        assertThat(newer.counter(Keyspace.CATALOG, COUNTER)).isEqualTo(7);
      }
    }
  }

  @Test
  void takesNoDeletionOfARange() {
    Mutation range = new MutationBuilder().deleteRange(KEYS, bytes("a"), bytes("b")).build();
    assertThatThrownBy(() -> new Overlay().add(range)).isInstanceOf(IllegalArgumentException.class);
  }

  private Mutation randomChanges() {
    var changes = new MutationBuilder();
    for (int i = 0; i < CHANGES; i++) {
      switch (random.nextInt(5)) {
        case 0, 1 -> changes.delete(KEYS, key());
        case 2 -> changes.add(Keyspace.CATALOG, COUNTER, random.nextInt(-5, 6));
        default -> changes.put(KEYS, key(), bytes("v" + random.nextInt(1000)));
      }
    }
    return changes.build();
  }

  private byte[] key() {
    var key = new StringBuilder();
    int length = random.nextInt(1, 4);
    for (int i = 0; i < length; i++) {
      key.append((char) ('a' + random.nextInt(LETTERS)));
    }
    return bytes(key.toString());
  }

  private static List<String> points(ReadView view) {
    var keys = new ArrayList<byte[]>();
    for (char first = 'a'; first < 'a' + LETTERS; first++) {
      for (char second = 'a'; second < 'a' + LETTERS; second++) {
        keys.add(bytes("" + first));
        keys.add(bytes("" + first + second));
      }
    }
    var values = new ArrayList<String>();
    view.multiGet(KEYS, keys).forEach(value -> values.add(value == null ? null : text(value)));
    for (byte[] key : keys) {
      byte[] value = view.get(KEYS, key);
      values.add(value == null ? null : text(value));
      values.add(String.valueOf(view.get(KEYS, key, 1, new byte[2])));
    }
    return values;
  }

  private static List<String> scan(ReadView view, byte[] lower, byte[] upper, boolean reverse) {
    try (KeyValueCursor cursor = view.cursor(KEYS, lower, upper, reverse)) {
      return rest(cursor);
    }
  }

  private static List<String> rest(KeyValueCursor cursor) {
    var entries = new ArrayList<String>();
    while (cursor.next()) {
      entries.add(entry(cursor));
    }
    return entries;
  }

  private static String entry(KeyValueCursor cursor) {
    byte[] read = new byte[cursor.valueLength()];
    cursor.readValue(read, 0);
    assertThat(read).isEqualTo(cursor.copyValue());
    return text(cursor.copyKey()) + "=" + text(read);
  }

  private static List<String> seeks(
      ReadView view, byte[] lower, byte[] upper, boolean reverse, byte[] target) {
    try (KeyValueCursor cursor = view.cursor(KEYS, lower, upper, reverse)) {
      var entries = new ArrayList<String>();
      for (int length = target.length; length > 0; length--) {
        entries.add(cursor.seek(target, length) ? entry(cursor) : null);
        entries.add(cursor.next() ? entry(cursor) : null);
      }
      return entries;
    }
  }

  private static List<String> batches(ReadView view, byte[] lower, byte[] upper, boolean reverse) {
    var entries = new ArrayList<String>();
    for (EntryBatch batch : List.of(new EntryBatch(), EntryBatch.ofKeys())) {
      try (KeyValueCursor cursor = view.cursor(KEYS, lower, upper, reverse)) {
        while (cursor.read(batch)) {
          for (int i = 0; i < batch.count(); i++) {
            entries.add(
                new String(batch.bytes(), batch.keyOffset(i), batch.keyLength(i), US_ASCII)
                    + "="
                    + new String(
                        batch.bytes(), batch.valueOffset(i), batch.valueLength(i), US_ASCII));
          }
        }
      }
    }
    return entries;
  }
}
