package dev.wisent.pipeline.join;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.DocumentStream;
import dev.wisent.pipeline.accumulator.KeyTable;
import dev.wisent.pipeline.sort.DocumentLog;
import dev.wisent.pipeline.sort.HeldMemory;
import dev.wisent.pipeline.sort.SortSpace;
import dev.wisent.query.collation.Collation;
import dev.wisent.query.match.MatchExpression;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.path.PathWalk;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Documents of another collection, found by their values at a path. The documents go to a file when
 * the memory does not suffice; the keys of their values stay.
 */
final class ForeignTable {
  private static final int NONE = -1;
  private static final int FIRST_ENTRIES = 64;

  /** An int and a long, and half of them more while the arrays grow. */
  private static final long ENTRY_BYTES = 18;

  /** Two ints, and half of them more. */
  private static final long KEY_BYTES = 12;

  private final FieldPath path;
  private final Collation collation;
  private final SortSpace space;
  private final HeldMemory memory;
  private final DocumentLog log;
  private final JoinKey key = new JoinKey();
  private final KeyTable keys = new KeyTable();
  private final Matches matches = new Matches();

  /** Of each key the first and the last entry. */
  private int[] first = new int[FIRST_ENTRIES];

  private int[] last = new int[FIRST_ENTRIES];

  /** Of each entry the document, and the next entry of its key. */
  private long[] positions = new long[FIRST_ENTRIES];

  private int[] following = new int[FIRST_ENTRIES];
  private int size;
  private boolean spilled;

  /**
   * @param collation null for the simple one
   */
  ForeignTable(FieldPath path, Collation collation, SortSpace space) {
    this.path = path;
    this.collation = collation;
    this.space = space;
    this.memory = space.memory();
    this.log = new DocumentLog(space);
  }

  /** Takes a document; false if there is no room for it, and the table is good for nothing. */
  boolean add(RawDocument document) {
    long position = log.add(document);
    PathWalk.find(
        path,
        RawValue.ofDocument(document),
        0,
        true,
        value -> {
          put(value, position);
          return false;
        });
    return memory.allows(memoryBytes()) || makeRoom();
  }

  private boolean makeRoom() {
    if (!space.hasFiles()) {
      return false;
    }
    log.spill();
    spilled = true;
    memory.shrink(memoryBytes());
    return memory.allows(memoryBytes());
  }

  long memoryBytes() {
    return log.memoryBytes()
        + keys.bytes()
        + first.length * KEY_BYTES
        + positions.length * ENTRY_BYTES;
  }

  boolean isSpilled() {
    return spilled;
  }

  private void put(RawValue value, long position) {
    key.set(value, collation);
    int number = keys.find(key.bytes(), key.length());
    if (number >= 0 && positions[last[number]] == position) {
      return;
    }
    if (size == positions.length) {
      positions = Arrays.copyOf(positions, 2 * size);
      following = Arrays.copyOf(following, 2 * size);
    }
    positions[size] = position;
    following[size] = NONE;
    if (number < 0) {
      number = -1 - number;
      keys.put(key.bytes(), key.length(), (byte) 0, key.bytes(), 0, 0);
      if (number == first.length) {
        first = Arrays.copyOf(first, 2 * number);
        last = Arrays.copyOf(last, 2 * number);
      }
      first[number] = size;
    } else {
      following[last[number]] = size;
    }
    last[number] = size++;
  }

  /**
   * The documents that have one of some values, in the order in which they came. Only to be read
   * until the next call.
   *
   * @param filter lets through the documents that have one of them; asked where keys do not tell
   */
  DocumentStream matches(List<RawValue> values, Supplier<MatchExpression> filter) {
    matches.begin(values, filter);
    return matches;
  }

  void close() {
    log.close();
    memory.shrink(0);
  }

  private final class Matches implements DocumentStream {
    private long[] found = new long[4];
    private int count;
    private int next;
    private MatchExpression filter;

    void begin(List<RawValue> values, Supplier<MatchExpression> ofValues) {
      count = 0;
      next = 0;
      boolean exact = true;
      for (RawValue value : values) {
        exact &= key.set(value, collation);
        add(keys.find(key.bytes(), key.length()));
      }
      if (values.size() > 1) {
        inOrder();
      }
      filter = exact || count == 0 ? null : ofValues.get();
    }

    private void add(int number) {
      for (int i = number < 0 ? NONE : first[number]; i != NONE; i = following[i]) {
        if (count == found.length) {
          found = Arrays.copyOf(found, count * 2);
        }
        found[count++] = positions[i];
      }
    }

    private void inOrder() {
      Arrays.sort(found, 0, count);
      int distinct = 0;
      for (int i = 0; i < count; i++) {
        if (distinct == 0 || found[distinct - 1] != found[i]) {
          found[distinct++] = found[i];
        }
      }
      count = distinct;
    }

    @Override
    public RawDocument next() {
      while (next < count) {
        RawDocument document = log.read(found[next++]);
        if (filter == null || filter.matches(document)) {
          return document;
        }
      }
      return null;
    }
  }
}
