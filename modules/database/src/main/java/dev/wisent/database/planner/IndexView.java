package dev.wisent.database.planner;

import dev.wisent.database.index.Index;
import dev.wisent.query.bounds.BoundsBuilder;
import dev.wisent.query.bounds.FieldIntervals;
import dev.wisent.query.bounds.GeoBounds;
import dev.wisent.query.bounds.KeyPart;
import dev.wisent.query.bounds.PredicateBounds;
import dev.wisent.query.path.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * An index as the planner sees it for one query.
 *
 * @param parts what its keys consist of
 * @param wildcard which paths of a wildcard index are meant; null for every other index
 */
record IndexView(Index index, List<KeyPart> parts, WildcardPath wildcard) {
  IndexView {
    parts = List.copyOf(parts);
  }

  /** All views of an index that conditions may have a use for. */
  static List<IndexView> of(Index index, List<Predicate> predicates) {
    return index.kind() == Index.Kind.WILDCARD
        ? WildcardPath.of(index, predicates).stream().map(path -> of(index, path)).toList()
        : List.of(of(index));
  }

  /** The view of an index that is no wildcard. */
  static IndexView of(Index index) {
    return of(index, (WildcardPath) null);
  }

  private static IndexView of(Index index, WildcardPath wildcard) {
    var parts = new ArrayList<KeyPart>(index.keyPartCount());
    for (int i = 0; i < index.fieldCount(); i++) {
      if (i == index.wildcardField()) {
        parts.addAll(wildcard.parts(index));
      } else {
        parts.add(part(index, i));
      }
    }
    return new IndexView(index, parts, wildcard);
  }

  private static KeyPart part(Index index, int field) {
    FieldPath path = index.path(field);
    return new KeyPart(
        path.dotted(),
        path,
        partKind(index, field),
        index.isDescending(field),
        index.arrayParts(field),
        index.isSparse() && index.fieldCount() == 1,
        index.collation());
  }

  private static KeyPart.Kind partKind(Index index, int field) {
    return switch (index.fieldKind(field)) {
      case HASH -> KeyPart.Kind.HASH;
      case SPHERE, PLANE -> KeyPart.Kind.CELL;
      case TERM -> KeyPart.Kind.TOGETHER;
      case VALUE, WILDCARD ->
          index.kind() == Index.Kind.PLANE ? KeyPart.Kind.TOGETHER : KeyPart.Kind.VALUE;
    };
  }

  /** The part with the values of a path; -1 if there is none. */
  int partOf(FieldPath path) {
    for (int i = 0; i < parts.size(); i++) {
      if (path.equals(parts.get(i).path())) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Whether one key of a document meets two conditions if the document does. Not where both lead
   * through an array, whose elements may share the work, unless an {@code $elemMatch} has fixed the
   * element.
   */
  static boolean canCombine(Predicate one, KeyPart onePart, Predicate other, KeyPart otherPart) {
    long arrays = onePart.arrayParts() | otherPart.arrayParts();
    int common = commonParts(one.path(), other.path());
    int fixed = one.partsSharedWith(other);
    return (arrays & lowBits(common) & ~lowBits(fixed)) == 0;
  }

  private static int commonParts(FieldPath a, FieldPath b) {
    int common = 0;
    while (common < Math.min(a.length(), b.length()) && a.name(common).equals(b.name(common))) {
      common++;
    }
    return common;
  }

  private static long lowBits(int count) {
    // Parts from the 64th on share the last bit: it may mean one that is not among the lowest.
    return count >= Long.SIZE ? -1 : (1L << count) - 1;
  }

  /** What a condition says about a part; null if nothing that helps. */
  PredicateBounds bounds(Predicate predicate, KeyPart part) {
    if (isOfWildcard(part)) {
      return wildcard.bounds(predicate, part);
    }
    return switch (part.kind()) {
      case HASH -> BoundsBuilder.ofHash(predicate.condition(), part, index::hashedKeys);
      case CELL -> GeoBounds.of(predicate.condition(), index.cells());
      case TOGETHER -> null;
      case VALUE, PATH -> BoundsBuilder.of(predicate.condition(), part);
    };
  }

  private boolean isOfWildcard(KeyPart part) {
    return wildcard != null && wildcard.path().equals(part.path());
  }

  /** What is read of a part that no condition is about. */
  FieldIntervals unbounded(KeyPart part) {
    return part.kind() == KeyPart.Kind.PATH
        ? new FieldIntervals(part.name(), wildcard.intervals())
        : FieldIntervals.all(part.name());
  }

  /** Whether a condition on this part is needed for the index to be of use. */
  boolean needsCondition(int part) {
    return wildcard == null ? part == 0 : isOfWildcard(parts.get(part));
  }

  /**
   * Whether all documents that meet some conditions are in the index. A sparse one lacks those
   * without any of its fields, one of places those without a place.
   */
  boolean hasAllThatMeet(List<Predicate> conditions) {
    if (index.cells() != null) {
      return conditions.stream()
          .anyMatch(one -> parts.get(partOf(one.path())).kind() == KeyPart.Kind.CELL);
    }
    return !index.isSparse() || conditions.stream().anyMatch(one -> !one.matchesMissing());
  }

  /**
   * Whether a hash and a value are in the keys of which one lies below the other (a and a.b). No
   * document can be made of such keys.
   */
  boolean hashesAroundValues() {
    int hashed = index.hashedField();
    for (int i = 0; hashed >= 0 && i < index.fieldCount(); i++) {
      FieldPath one = index.path(i);
      FieldPath other = index.path(hashed);
      if (i != hashed && commonParts(one, other) == Math.min(one.length(), other.length())) {
        return true;
      }
    }
    return false;
  }

  boolean isWildcard() {
    return wildcard != null;
  }
}
