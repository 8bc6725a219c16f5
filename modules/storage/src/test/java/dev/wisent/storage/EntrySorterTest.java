package dev.wisent.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EntrySorterTest {
  @TempDir Path directory;

  private TemporaryFiles files;

  @BeforeEach
  void open() {
    files = new TemporaryFiles(new DataDirectory(directory));
  }

  private record Entry(byte[] key, byte[] value) {
    String text() {
      return Arrays.toString(key) + Arrays.toString(value);
    }
  }

  /** In memory, in some files, and in more files than are merged at a time. */
  @Test
  void entriesComeInTheOrderOfTheirKeys() throws IOException {
    long seed = Long.getLong("wisent.seed", System.nanoTime());
    SplittableRandom random = new SplittableRandom(seed);
    for (int count : new int[] {0, 1, 2, 3, 100, 2_000, 40_000}) {
      List<Entry> entries = new ArrayList<>();
      try (EntrySorter sorter = new EntrySorter(files, 20_000)) {
        for (int i = 0; i < count; i++) {
          Entry entry = new Entry(randomBytes(random, 12), randomBytes(random, 4));
          entries.add(entry);
          sorter.add(entry.key, entry.value);
        }
        assertThat(texts(sorter.sorted()))
            .as("%d entries, seed %d", count, seed)
            .isEqualTo(entries.stream().map(Entry::text).sorted().toList());
        assertSorted(sorter.sorted());
        assertThat(fileCount()).isLessThan(100);
      }
      assertThat(fileCount()).isZero();
    }
  }

  @Test
  void anEntryLargerThanTheMemoryHasItsPlace() {
    try (EntrySorter sorter = new EntrySorter(files, 1_000)) {
      byte[] large = new byte[100_000];
      large[0] = 5;
      sorter.add(new byte[] {6}, new byte[0]);
      sorter.add(large, large);
      sorter.add(new byte[] {4}, new byte[0]);
      SortedEntries sorted = sorter.sorted();
      assertThat(sorted.next()).isTrue();
      assertThat(sorted.key()).containsExactly(4);
      assertThat(sorted.next()).isTrue();
      assertThat(sorted.key()).isEqualTo(large);
      assertThat(sorted.value()).isEqualTo(large);
      assertThat(sorted.next()).isTrue();
      assertThat(sorted.key()).containsExactly(6);
      assertThat(sorted.next()).isFalse();
    }
  }

  private static byte[] randomBytes(SplittableRandom random, int lengthMax) {
    byte[] bytes = new byte[random.nextInt(lengthMax + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<String> texts(SortedEntries sorted) {
    List<String> texts = new ArrayList<>();
    while (sorted.next()) {
      texts.add(new Entry(sorted.key(), sorted.value()).text());
    }
    // Entries of one key come in any order.
    Collections.sort(texts);
    return texts;
  }

  private static void assertSorted(SortedEntries sorted) {
    byte[] before = new byte[0];
    while (sorted.next()) {
      assertThat(Arrays.compareUnsigned(before, sorted.key())).isNotPositive();
      before = sorted.key();
    }
  }

  private long fileCount() throws IOException {
    Path temporary = directory.resolve(TemporaryFiles.DIRECTORY);
    if (!Files.exists(temporary)) {
      return 0;
    }
    try (Stream<Path> list = Files.list(temporary)) {
      return list.count();
    }
  }
}
