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
import dev.wisent.query.update.element.StorageRules;
import java.util.ArrayList;
import java.util.List;

/** Applies the tree of an update to one document. */
final class UpdateWalk {
  private static final String ID = "_id";
  static final int NO_POSITION = -1;

  private final MutableDocument document;
  private final int positionalIndex;
  private final boolean insert;
  private boolean changed;

  /** Arrays that got elements because a path leads below them; null while there are none. */
  private List<String> grownArrays;

  /**
   * @param positionalIndex what {@code $} stands for, -1 for nothing
   * @param insert whether the document is about to be inserted by an upsert, which also checks it
   *     as a whole afterwards
   */
  UpdateWalk(RawDocument original, int positionalIndex, boolean insert) {
    this.document = new MutableDocument(original, false);
    this.positionalIndex = positionalIndex;
    this.insert = insert;
  }

  MutableDocument document() {
    return document;
  }

  boolean changed() {
    return changed;
  }

  /**
   * The paths of arrays that got new elements on the way to a field below. All that an index has of
   * such an array may have changed: a new element lacks the fields that the update does not name.
   */
  List<String> grownArrays() {
    return grownArrays == null ? List.of() : grownArrays;
  }

  void apply(Branch root) {
    branch(root, Place.root(document));
  }

  private void branch(Branch branch, Place place) {
    if (branch.positional() == null) {
      for (Branch.Child child : branch.children()) {
        child(child.node(), child.name(), place);
      }
      return;
    }
    if (positionalIndex == NO_POSITION) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The positional operator did not find the match needed from the query.");
    }
    FieldName position = FieldName.ofIndex(positionalIndex);
    PathNode positional = branch.positional();
    for (Branch.Child child : branch.children()) {
      if (positional != null && child.name().equals(position)) {
        PathNode merged = PathMerge.merge(child.node(), positional, place.path(position));
        child(merged, position, place);
        positional = null;
      } else {
        child(child.node(), child.name(), place);
      }
    }
    if (positional != null) {
      child(positional, position, place);
    }
  }

  private void child(PathNode node, FieldName name, Place place) {
    node(node, name, place, place.find(name));
  }

  /** {@code element} is null where the field does not exist. */
  private void node(PathNode node, FieldName name, Place place, MutableElement element) {
    switch (node) {
      case Branch branch -> branch(branch, place.down(name, element));
      case ArrayBranch array -> arrayBranch(array, name, place, element);
      case PathNode.FieldLeaf leaf -> field(leaf.operator(), name, place, element);
      case PathNode.RenameLeaf leaf -> rename(leaf.rename(), name, place, element);
      case PathNode.RenameSource _ -> {}
    }
  }

  private void arrayBranch(
      ArrayBranch branch, FieldName name, Place place, MutableElement element) {
    if (element == null) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "The path '"
              + place.path(name)
              + "' must exist in the document in order to apply array updates.");
    }
    if (element.type() != ElementType.ARRAY) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot apply array updates to non-array element "
              + ElementText.of(name.text(), element.value()));
    }
    Place array = place.down(name, element);
    var elements = array.container().baseElements();
    while (elements.next()) {
      RawValue value = elements.baseValue();
      PathNode chosen = null;
      for (ArrayBranch.Choice choice : branch.choices()) {
        if (choice.filter().matches(value)) {
          String path = chosen == null ? "" : array.path(FieldName.ofIndex(elements.index()));
          chosen = PathMerge.merge(chosen, choice.node(), path);
        }
      }
      if (chosen != null) {
        node(chosen, FieldName.ofIndex(elements.index()), array, elements.element());
      }
    }
  }

  private void field(FieldOperator operator, FieldName name, Place place, MutableElement element) {
    if (operator.insertOnly() && !insert) {
      return;
    }
    if (element != null) {
      RawValue result = operator.modify(element.value(), new FieldTarget(name, place));
      if (result != null) {
        replace(element, result, operator.addedDepth(), name, place);
      }
      return;
    }
    RawValue created = operator.create();
    if (created != null) {
      create(name, place, created, operator.addedDepth());
    } else if (!operator.ignoresBlockedPath()) {
      place.checkNotBlocked(name);
    }
  }

  private void replace(
      MutableElement element, RawValue value, int addedDepth, FieldName name, Place place) {
    checkIdUntouched(name, place);
    if (value != FieldOperator.REMOVED) {
      checkLevel(place, addedDepth);
      element.set(value);
    } else if (place.isArray()) {
      element.set(RawValue.NULL);
    } else {
      element.remove();
    }
    changed = true;
  }

  private void create(FieldName name, Place place, RawValue value, int addedDepth) {
    Place existing = place.nearestExisting();
    boolean insideId = existing.parent() != null && place.top(name).text().equals(ID);
    checkLevel(place, addedDepth);
    if (existing.isArray() && existing != place) {
      grownArrays = grownArrays == null ? new ArrayList<>(2) : grownArrays;
      grownArrays.add(existing.path());
    }
    place.create(name, value);
    if (insideId) {
      throw new CommandException(
          ErrorCode.IMMUTABLE_FIELD,
          "Updating the path '"
              + existing.path()
              + "' to "
              + ElementText.of(existing.name().text(), existing.element().value())
              + " would modify the immutable field '_id'");
    }
    changed = true;
  }

  private void checkIdUntouched(FieldName name, Place place) {
    if (place.top(name).text().equals(ID)) {
      throw new CommandException(
          ErrorCode.IMMUTABLE_FIELD,
          "Performing an update on the path '"
              + place.path(name)
              + "' would modify the immutable field '_id'");
    }
  }

  private void checkLevel(Place place, int addedDepth) {
    if (!insert) {
      StorageRules.checkLevel(place.level() + 1 + addedDepth);
    }
  }

  private void rename(RenameUpdate rename, FieldName name, Place place, MutableElement target) {
    Place sourcePlace = Place.root(document);
    MutableElement source = null;
    UpdatePath path = rename.source();
    for (int i = 0; i < path.size(); i++) {
      if (i > 0) {
        sourcePlace = sourcePlace.down(path.part(i - 1), source);
        checkTraversable(sourcePlace, path, i);
      }
      source = sourcePlace.find(path.part(i));
      if (source == null) {
        return;
      }
    }
    checkNoArray("source", path, sourcePlace);
    checkNoArray("destination", rename.target(), place);
    RawValue value = source.value();
    int depth = StorageRules.depthBelow(value);
    if (target != null) {
      replace(target, value, depth, name, place);
    } else {
      create(name, place, value, depth);
    }
    replace(source, FieldOperator.REMOVED, 0, path.last(), sourcePlace);
  }

  /** The source of a rename may be missing, but nothing may stand in its way. */
  private static void checkTraversable(Place place, UpdatePath path, int part) {
    boolean viable =
        place.container() != null
            && (!place.isArray() || path.part(part).index() != FieldName.NOT_AN_INDEX);
    if (!viable) {
      throw new CommandException(
          ErrorCode.PATH_NOT_VIABLE,
          "cannot use the part ("
              + path.part(part - 1).text()
              + " of "
              + path.dotted()
              + ") to traverse the element ({"
              + ElementText.of(place.name().text(), place.element().value())
              + "})");
    }
  }

  private void checkNoArray(String role, UpdatePath path, Place parent) {
    for (Place place = parent; place.parent() != null; place = place.parent()) {
      if (place.isArray()) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "The "
                + role
                + " field cannot be an array element, '"
                + path.dotted()
                + "' in doc with "
                + documentId(document)
                + " has an array field called '"
                + place.name().text()
                + "'");
      }
    }
  }

  private static String documentId(MutableDocument document) {
    MutableElement id = document.find(FieldName.of(ID));
    return id == null ? "no id" : ElementText.of(ID, id.value());
  }

  /** A field under the walk; knows its path only when asked. */
  private final class FieldTarget implements Target {
    private final FieldName name;
    private final Place place;

    private FieldTarget(FieldName name, Place place) {
      this.name = name;
      this.place = place;
    }

    @Override
    public String path() {
      return place.path(name);
    }

    @Override
    public String field() {
      return name.text();
    }

    @Override
    public String documentId() {
      return UpdateWalk.documentId(document);
    }
  }
}
