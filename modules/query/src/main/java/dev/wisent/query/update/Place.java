package dev.wisent.query.update;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.update.element.ElementText;
import dev.wisent.query.update.element.FieldName;
import dev.wisent.query.update.element.MutableDocument;
import dev.wisent.query.update.element.MutableElement;

/**
 * A point on the way down a document: a document or array that exists, one that would have to be
 * created, or a value that can hold no fields and so blocks the way.
 */
final class Place {
  /** Nulls that one update may add to an array to reach a position. */
  static final int ARRAY_PADDING_MAX = 1_500_000;

  private static final RawValue EMPTY_DOCUMENT = RawValue.ofDocument(RawDocument.EMPTY);

  private final Place parent;
  private final FieldName name;
  private final int level;

  /** Null while it does not exist, and at the root. */
  private MutableElement element;

  /** Null while it does not exist, and where a plain value blocks the way. */
  private MutableDocument container;

  private Place(Place parent, FieldName name, MutableElement element, MutableDocument container) {
    this.parent = parent;
    this.name = name;
    this.level = parent == null ? 0 : parent.level + 1;
    this.element = element;
    this.container = container;
  }

  static Place root(MutableDocument document) {
    return new Place(null, null, null, document);
  }

  /** One step down; {@code child} is null where there is no such field. */
  Place down(FieldName childName, MutableElement child) {
    boolean opens =
        child != null
            && (child.type() == ElementType.DOCUMENT || child.type() == ElementType.ARRAY);
    return new Place(this, childName, child, opens ? child.open() : null);
  }

  /** The field of that name, or null. */
  MutableElement find(FieldName childName) {
    return container == null ? null : container.find(childName);
  }

  boolean isArray() {
    return container != null && container.isArray();
  }

  MutableDocument container() {
    return container;
  }

  Place parent() {
    return parent;
  }

  FieldName name() {
    return name;
  }

  /** How many components lie above, this one included. */
  int level() {
    return level;
  }

  boolean exists() {
    return parent == null || element != null;
  }

  MutableElement element() {
    return element;
  }

  /** The dotted path of this place; empty at the root. */
  String path() {
    if (parent == null) {
      return "";
    }
    return parent.parent == null ? name.text() : parent.path() + '.' + name.text();
  }

  String path(FieldName childName) {
    return parent == null ? childName.text() : path() + '.' + childName.text();
  }

  /** The first component of the path of a child. */
  FieldName top(FieldName childName) {
    Place place = this;
    FieldName top = childName;
    while (place.parent != null) {
      top = place.name;
      place = place.parent;
    }
    return top;
  }

  /** The nearest place on the way up that is in the document. */
  Place nearestExisting() {
    Place place = this;
    while (!place.exists()) {
      place = place.parent;
    }
    return place;
  }

  /** Creates a field, and before it whatever is missing above it. */
  void create(FieldName childName, RawValue value) {
    append(childName, value);
  }

  private MutableElement append(FieldName childName, RawValue value) {
    MutableDocument target = containerFor(childName);
    if (target.isArray()) {
      pad(target, childName.index());
      return target.append(FieldName.ofIndex(childName.index()).utf8(), value);
    }
    return target.append(childName.utf8(), value);
  }

  private MutableDocument containerFor(FieldName childName) {
    if (container == null) {
      if (element != null) {
        throw cannotCreate(childName);
      }
      element = parent.append(name, EMPTY_DOCUMENT);
      container = element.open();
    } else if (container.isArray() && childName.index() == FieldName.NOT_AN_INDEX) {
      throw cannotCreate(childName);
    }
    return container;
  }

  private CommandException cannotCreate(FieldName childName) {
    return new CommandException(
        ErrorCode.PATH_NOT_VIABLE,
        "Cannot create field '"
            + childName.text()
            + "' in element {"
            + ElementText.of(name.text(), element.value())
            + "}");
  }

  private static void pad(MutableDocument array, int index) {
    int missing = index - array.size();
    if (missing > ARRAY_PADDING_MAX) {
      throw new CommandException(
          ErrorCode.CANNOT_BACKFILL_ARRAY,
          "can't backfill more than " + ARRAY_PADDING_MAX + " elements");
    }
    array.appendNulls(missing);
  }

  /** Fails where a field could not be created even by an operator that creates fields. */
  void checkNotBlocked(FieldName childName) {
    Place place = nearestExisting();
    boolean blocked;
    FieldName next = childName;
    for (Place p = this; p != place; p = p.parent) {
      next = p.name;
    }
    if (place.container == null) {
      blocked = true;
    } else {
      blocked = place.container.isArray() && next.index() == FieldName.NOT_AN_INDEX;
    }
    if (blocked) {
      throw new CommandException(
          ErrorCode.PATH_NOT_VIABLE,
          "Cannot use the part ("
              + next.text()
              + ") of ("
              + path(childName)
              + ") to traverse the element ({"
              + ElementText.of(place.name.text(), place.element.value())
              + "})");
    }
  }
}
