package dev.wisent.database.index;

import dev.wisent.database.catalog.CatalogKeys;
import dev.wisent.query.path.FieldPath;
import dev.wisent.storage.KeyValueCursor;
import dev.wisent.storage.Keyspace;
import dev.wisent.storage.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which parts of an index's paths have met arrays, and of a wildcard index which paths. Marks only
 * grow. A writer that finds a new one tells readers at once (they plan more carefully than they
 * need to), stores it with its own mutation, and counts it as stored only after the commit: until
 * then every other writer stores it too.
 */
public final class ArrayMarks {
  /** With more paths than this, one mark stands for all of them. */
  private static final int PATHS_MAX = 10_000;

  private static final FieldPath EVERY_PATH = FieldPath.of("");

  private final int ident;
  private final AtomicLongArray seenParts;
  private final AtomicLongArray storedParts;
  private final Set<FieldPath> seenPaths = ConcurrentHashMap.newKeySet();
  private final Set<FieldPath> storedPaths = ConcurrentHashMap.newKeySet();
  private volatile boolean any;

  private ArrayMarks(int ident, int fieldCount) {
    this.ident = ident;
    this.seenParts = new AtomicLongArray(fieldCount);
    this.storedParts = new AtomicLongArray(fieldCount);
  }

  /** The marks that a state of the store has for an index. */
  static ArrayMarks open(int ident, int fieldCount, ReadView view) {
    var marks = new ArrayMarks(ident, fieldCount);
    marks.readParts(view);
    marks.readPaths(view);
    return marks;
  }

  private void readParts(ReadView view) {
    try (KeyValueCursor marks =
        view.cursor(
            Keyspace.CATALOG,
            CatalogKeys.multikey(ident),
            CatalogKeys.multikey(ident + 1),
            false)) {
      while (marks.next()) {
        int field = CatalogKeys.multikeyField(marks.key());
        long part = 1L << CatalogKeys.multikeyPart(marks.key());
        seenParts.accumulateAndGet(field, part, (a, b) -> a | b);
        storedParts.accumulateAndGet(field, part, (a, b) -> a | b);
        any = true;
      }
    }
  }

  private void readPaths(ReadView view) {
    try (KeyValueCursor marks =
        view.cursor(
            Keyspace.CATALOG,
            CatalogKeys.multikeyPaths(ident),
            CatalogKeys.multikeyPaths(ident + 1),
            false)) {
      while (marks.next()) {
        FieldPath path = FieldPath.of(CatalogKeys.multikeyPath(marks.key(), marks.keyLength()));
        seenPaths.add(path);
        storedPaths.add(path);
        any = true;
      }
    }
  }

  public boolean any() {
    return any;
  }

  /** Which parts of a field's path have met arrays: bit 0 for the first. */
  public long parts(int field) {
    return seenParts.get(field);
  }

  boolean anyPath() {
    return !seenPaths.isEmpty();
  }

  /** The same for a path below a wildcard. */
  public long partsOf(FieldPath path) {
    if (seenPaths.isEmpty()) {
      return 0;
    }
    if (seenPaths.contains(EVERY_PATH)) {
      return -1;
    }
    long parts = 0;
    var way = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      way.append(i == 0 ? "" : ".").append(path.name(i));
      if (seenPaths.contains(FieldPath.of(way.toString()))) {
        parts |= 1L << Math.min(i, Long.SIZE - 1);
      }
    }
    return parts;
  }

  /** Marks for arrays that the entries met and that are not stored yet. */
  public List<Index.ArrayMark> missing(IndexEntries entries) {
    if (entries.arrayParts() == null) {
      return List.of();
    }
    if (!any) {
      any = true;
    }
    var missing = new ArrayList<Index.ArrayMark>();
    addMissingParts(entries.arrayParts(), missing);
    for (FieldPath path : entries.arrayPaths()) {
      addMissingPath(path, missing);
    }
    return missing;
  }

  private void addMissingParts(long[] parts, List<Index.ArrayMark> missing) {
    for (int field = 0; field < parts.length; field++) {
      long more = parts[field] & ~storedParts.get(field);
      if (more != 0) {
        seenParts.accumulateAndGet(field, more, (a, b) -> a | b);
      }
      for (int part = 0; more != 0; part++, more >>>= 1) {
        if ((more & 1) != 0) {
          missing.add(partMark(field, part));
        }
      }
    }
  }

  private Index.ArrayMark partMark(int field, int part) {
    return new Index.ArrayMark(
        CatalogKeys.multikey(ident, field, part),
        () -> storedParts.accumulateAndGet(field, 1L << part, (a, b) -> a | b));
  }

  private void addMissingPath(FieldPath path, List<Index.ArrayMark> missing) {
    if (storedPaths.contains(path) || storedPaths.contains(EVERY_PATH)) {
      return;
    }
    FieldPath marked = seenPaths.size() < PATHS_MAX || seenPaths.contains(path) ? path : EVERY_PATH;
    seenPaths.add(marked);
    missing.add(pathMark(marked));
  }

  private Index.ArrayMark pathMark(FieldPath path) {
    return new Index.ArrayMark(
        CatalogKeys.multikeyPath(ident, path.dotted()), () -> storedPaths.add(path));
  }

  /** A mark that a replicated entry stores: readers see it at once, too. */
  public Index.ArrayMark replicatedPart(int field, int part) {
    any = true;
    seenParts.accumulateAndGet(field, 1L << part, (a, b) -> a | b);
    return partMark(field, part);
  }

  /** The same for a path of a wildcard index. */
  public Index.ArrayMark replicatedPath(FieldPath path) {
    any = true;
    seenPaths.add(path);
    return pathMark(path);
  }

  /** Whether all arrays that the entries met are among the stored marks. */
  public boolean cover(IndexEntries entries) {
    long[] parts = entries.arrayParts();
    for (int field = 0; parts != null && field < parts.length; field++) {
      if ((parts[field] & ~storedParts.get(field)) != 0) {
        return false;
      }
    }
    return storedPaths.contains(EVERY_PATH) || storedPaths.containsAll(entries.arrayPaths());
  }
}
