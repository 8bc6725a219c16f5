package dev.wisent.query.key;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.context.QueryContext;
import dev.wisent.query.path.FieldPath;
import dev.wisent.query.projection.Projection;
import dev.wisent.query.update.TouchedPaths;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which paths a wildcard index has: all, those below one ({@code a.$**}), or what its {@code
 * wildcardProjection} names or leaves out. {@code _id} is out unless the projection names it.
 */
public final class WildcardPaths {
  private static final String EVERYTHING = "$**";
  private static final String BELOW = ".$**";
  private static final String ID = "_id";

  private final Projection projection;
  private final boolean inclusion;

  /** What is in, or with an exclusion what is out. */
  private final Set<String> named;

  /** The top-level fields of those paths. */
  private final Set<String> roots;

  private WildcardPaths(Projection projection, Set<String> named) {
    this.projection = projection;
    this.inclusion = projection.isInclusion();
    this.named = Set.copyOf(named);
    this.roots =
        named.stream()
            .map(path -> FieldPath.of(path).name(0))
            .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a field of a key pattern is a wildcard. */
  public static boolean isWildcard(String field) {
    return field.equals(EVERYTHING) || field.endsWith(BELOW);
  }

  /**
   * Throws what is wrong with the projection.
   *
   * @param projection null where the index has none
   */
  public static WildcardPaths of(FieldPath wildcard, RawDocument projection) {
    var spec = new BsonBuilder();
    boolean withId = false;
    if (!wildcard.dotted().equals(EVERYTHING)) {
      String root = wildcard.dotted().substring(0, wildcard.dotted().length() - BELOW.length());
      spec.appendInt32(root, 1);
      withId = root.equals(ID) || root.startsWith(ID + ".");
    } else if (projection != null) {
      spec.appendAll(projection);
      ElementCursor fields = projection.elements();
      while (fields.next()) {
        withId |= fields.name().equals(ID) || fields.name().startsWith(ID + ".");
      }
    }
    if (!withId) {
      spec.appendInt32(ID, 0);
    }
    RawDocument whole = spec.toDocument();
    Projection parsed = Projection.parse(whole, null, QueryContext.of(() -> 0, () -> 0));
    var named = new HashSet<String>();
    collect(whole, "", parsed.isInclusion(), named);
    return new WildcardPaths(parsed, named);
  }

  private static void collect(
      RawDocument spec, String prefix, boolean inclusion, Set<String> named) {
    ElementCursor fields = spec.elements();
    while (fields.next()) {
      RawValue value = fields.value();
      String path = prefix + fields.name();
      if (value.isDocument()) {
        collect(value.asDocument(), path + ".", inclusion, named);
      } else if (value.isTruthy() == inclusion) {
        named.add(path);
      }
    }
  }

  /** What of a document is in the index. */
  RawDocument indexedPart(RawDocument document) {
    return projection.apply(document, null);
  }

  /**
   * Whether the index has every value at this path. It never has where a part may be a position in
   * an array: entries have the path without it.
   */
  public boolean covers(FieldPath path) {
    for (int i = 1; i < path.length(); i++) {
      if (path.arrayIndex(i) >= 0) {
        return false;
      }
    }
    boolean isNamed = false;
    for (int end = path.dotted().length(); end >= 0 && !isNamed; end--) {
      boolean atPart = end == path.dotted().length() || path.dotted().charAt(end) == '.';
      isNamed = atPart && named.contains(path.dotted().substring(0, end));
    }
    return isNamed == inclusion;
  }

  /**
   * Whether a change of these paths may change what the index has. A field beside a named path
   * counts: where {@code a.x} is in, a document with {@code a.y} alone has the empty document at
   * {@code a}.
   */
  public boolean mayBeAffectedBy(TouchedPaths touched) {
    return !inclusion || roots.stream().anyMatch(touched::mayAffect);
  }
}
