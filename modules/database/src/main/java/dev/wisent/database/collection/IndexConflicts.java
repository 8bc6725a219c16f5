package dev.wisent.database.collection;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.Limits;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.bson.ValueOrder;
import dev.wisent.bson.ValueText;
import dev.wisent.database.catalog.CollectionDefinition;
import dev.wisent.database.catalog.IndexDefinition;
import dev.wisent.operation.Namespace;
import dev.wisent.query.text.TextIndexSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Whether indexes can be added beside those that a collection has. As in MongoDB since 5.0, indexes
 * of one key may differ in being unique or sparse, in their collation, and in which documents and
 * paths they have.
 */
public final class IndexConflicts {
  /** With the key, what makes an index another one. */
  private static final List<String> IDENTITY_FLAGS = List.of("unique", "sparse");

  private static final List<String> IDENTITY_DOCUMENTS =
      List.of("collation", "partialFilterExpression", "wildcardProjection");

  /** What two indexes may differ in and still be the same. */
  private static final Set<String> IRRELEVANT =
      Set.of(
          "v",
          "key",
          "name",
          "background",
          "hidden",
          "prepareUnique",
          "unique",
          "sparse",
          "collation",
          "partialFilterExpression",
          "wildcardProjection");

  private final CollectionDefinition collection;
  private final List<RawDocument> known = new ArrayList<>();

  private IndexConflicts(CollectionDefinition collection) {
    this.collection = collection;
    collection.indexes().stream().map(IndexDefinition::spec).forEach(known::add);
  }

  /**
   * Those of the wanted indexes that are not there yet, each once. Throws where one is in the way
   * of another.
   */
  public static List<RawDocument> missing(
      CollectionDefinition collection, List<RawDocument> specs) {
    var conflicts = new IndexConflicts(collection);
    var missing = new ArrayList<RawDocument>();
    for (RawDocument spec : specs) {
      if (!conflicts.isThere(spec)) {
        conflicts.checkRoom(spec);
        conflicts.checkLifetime(spec);
        conflicts.checkOnlyText(spec);
        conflicts.known.add(spec);
        missing.add(spec);
      }
    }
    return missing;
  }

  /** Fails where the first indexes of a collection, besides that on {@code _id}, do not agree. */
  public static void checkFirst(Namespace namespace, List<RawDocument> specs) {
    var collection =
        new CollectionDefinition(
            namespace,
            new UUID(0, 0),
            0,
            RawDocument.EMPTY,
            List.of(IndexDefinition.ofId(0, RawDocument.EMPTY)));
    missing(collection, stored(collection, specs));
  }

  /** The wanted indexes with the collation that each gets. */
  static List<RawDocument> stored(CollectionDefinition collection, List<RawDocument> specs) {
    return specs.stream().map(spec -> IndexCollation.resolve(spec, collection)).toList();
  }

  private boolean isThere(RawDocument wanted) {
    if (isClustered(wanted)) {
      return true;
    }
    if (isIdKey(wanted)) {
      // Whatever its name is, there is one already.
      return true;
    }
    String name = wanted.get("name").asString();
    for (RawDocument existing : known) {
      if (existing.get("name").asString().equals(name)) {
        checkSameName(existing, wanted);
        return true;
      }
    }
    for (RawDocument existing : known) {
      if (isEquivalent(existing, wanted)) {
        throw new CommandException(
            ErrorCode.INDEX_OPTIONS_CONFLICT,
            isIdentical(existing, wanted)
                ? "Index already exists with a different name: " + existing.get("name").asString()
                : "An equivalent index already exists with a different name and options. "
                    + both(existing, wanted));
      }
    }
    return false;
  }

  private boolean isClustered(RawDocument wanted) {
    RawValue clustered = wanted.get("clustered");
    if (clustered == null) {
      return false;
    }
    if (!collection.isClustered()) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Cannot create an index with 'clustered' in the spec on a collection that is not"
              + " clustered");
    }
    return true;
  }

  private static boolean isIdKey(RawDocument spec) {
    return new IndexDefinition(0, spec).isId();
  }

  private static void checkSameName(RawDocument existing, RawDocument wanted) {
    if (!isEquivalent(existing, wanted)) {
      throw new CommandException(
          ErrorCode.INDEX_KEY_SPECS_CONFLICT,
          "An existing index has the same name as the requested index. When index names are not"
              + " specified, they are auto generated and can cause conflicts. Please refer to our"
              + " documentation. "
              + both(existing, wanted));
    }
    if (!isIdentical(existing, wanted)) {
      throw new CommandException(
          ErrorCode.INDEX_OPTIONS_CONFLICT,
          "An equivalent index already exists with the same name but different options. "
              + both(existing, wanted));
    }
  }

  private static String both(RawDocument existing, RawDocument wanted) {
    return "Requested index: "
        + ValueText.of(wanted)
        + ", existing index: "
        + ValueText.of(existing);
  }

  private static boolean isEquivalent(RawDocument a, RawDocument b) {
    return sameKey(a, b)
        && IDENTITY_FLAGS.stream().allMatch(flag -> isSet(a, flag) == isSet(b, flag))
        && IDENTITY_DOCUMENTS.stream().allMatch(name -> same(a.get(name), b.get(name)));
  }

  private static boolean sameKey(RawDocument a, RawDocument b) {
    return ValueOrder.equal(a.get("key"), b.get("key"));
  }

  private static boolean isIdentical(RawDocument a, RawDocument b) {
    return optionsAreIn(a, b) && optionsAreIn(b, a);
  }

  private static boolean optionsAreIn(RawDocument spec, RawDocument other) {
    ElementCursor options = spec.elements();
    while (options.next()) {
      if (!IRRELEVANT.contains(options.name())
          && !same(options.value(), other.get(options.name()))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(RawValue a, RawValue b) {
    return (a == null || b == null) ? a == b : ValueOrder.equal(a, b);
  }

  private static boolean isSet(RawDocument spec, String option) {
    RawValue value = spec.get(option);
    return value != null && value.isTruthy();
  }

  private void checkRoom(RawDocument spec) {
    if (known.size() >= Limits.INDEXES_PER_COLLECTION_MAX) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX,
          "add index fails, too many indexes for "
              + collection.namespace()
              + " key:"
              + ValueText.of(spec.get("key").asDocument()));
    }
  }

  /** A search does not say which text index it means, so there is one at most. */
  private void checkOnlyText(RawDocument spec) {
    if (!isText(spec)) {
      return;
    }
    for (RawDocument existing : known) {
      if (isText(existing)) {
        throw new CommandException(
            ErrorCode.CANNOT_CREATE_INDEX,
            "only one text index per collection allowed, found existing text index \""
                + existing.get("name").asString()
                + "\"");
      }
    }
  }

  private static boolean isText(RawDocument spec) {
    return spec.get("key").asDocument().get(TextIndexSpec.TERM_FIELD) != null;
  }

  /** Documents leave a capped collection in the order in which they came, and in no other. */
  private void checkLifetime(RawDocument spec) {
    if (spec.get("expireAfterSeconds") != null && collection.isCapped()) {
      throw new CommandException(
          ErrorCode.CANNOT_CREATE_INDEX, "Cannot create TTL index on a capped collection");
    }
  }
}
