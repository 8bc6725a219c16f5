package dev.wisent.query.path;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;

/**
 * Follows a path through a value the way MongoDB's filters do.
 *
 * <ul>
 *   <li>An array on the way is entered: the rest of the path is followed in each element that is a
 *       document. Elements that are anything else, arrays included, are passed over.
 *   <li>A numeric part also names an element of the array by position, and then only that element,
 *       whatever it is. Both readings are tried; the one by name comes first.
 *   <li>An array at the end is shown element by element and then as a whole, if the caller wants it
 *       expanded. It is not expanded where a position led to it: {@code {"a.0": 1}} does not match
 *       {@code {a: [[1]]}}.
 *   <li>"Nothing" is shown once for each document where the path ends early, but not for arrays
 *       without documents: {@code {"a.b": null}} matches {@code {a: 1}} and {@code {a: [{}]}}, not
 *       {@code {a: []}} or {@code {a: [1]}}.
 * </ul>
 */
public final class PathWalk {
  /** The visitor wanted none of the values. */
  public static final int NOT_FOUND = -2;

  /** The visitor took a value, and no array was entered implicitly on the way to it. */
  public static final int FOUND = -1;

  private PathWalk() {}

  /**
   * Shows the values at a path until the visitor takes one.
   *
   * @param root where to start
   * @param boundParts how many leading parts of the path {@code root} already stands for: 0 for a
   *     whole document, 1 for the value of the first field
   * @param expandLeafArrays whether an array at the end of the path is shown by element too
   * @return {@link #NOT_FOUND}, {@link #FOUND}, or the index in the outermost array that was
   *     entered implicitly
   */
  public static int find(
      FieldPath path,
      RawValue root,
      int boundParts,
      boolean expandLeafArrays,
      PathVisitor visitor) {
    if (root.type() == ElementType.ARRAY) {
      return inArray(path, root, boundParts, expandLeafArrays, visitor);
    }
    if (boundParts >= path.length()) {
      return result(visitor.visit(root));
    }
    if (root.type() == ElementType.DOCUMENT) {
      return inDocument(path, root, boundParts, expandLeafArrays, visitor);
    }
    return result(visitor.visit(null));
  }

  /** The value at a path through documents only, or null. Arrays are not entered. */
  public static RawValue get(RawDocument document, FieldPath path) {
    RawValue value = document.get(path.part(0));
    for (int i = 1; i < path.length(); i++) {
      if (value == null || !value.isDocument()) {
        return null;
      }
      value = value.asDocument().get(path.part(i));
    }
    return value;
  }

  private static int inDocument(
      FieldPath path, RawValue document, int part, boolean expand, PathVisitor visitor) {
    ElementCursor cursor = document.elements();
    int at = part;
    while (true) {
      byte[] name = path.part(at);
      boolean found = false;
      while (cursor.next()) {
        if (cursor.nameEquals(name)) {
          found = true;
          break;
        }
      }
      if (!found) {
        return result(visitor.visit(null));
      }
      at++;
      if (cursor.type() == ElementType.ARRAY) {
        return inArray(path, cursor.value(), at, expand, visitor);
      }
      if (at == path.length()) {
        return result(visitor.visit(cursor.value()));
      }
      if (cursor.type() != ElementType.DOCUMENT) {
        return result(visitor.visit(null));
      }
      cursor = cursor.value().elements();
    }
  }

  /** The array is the value of the part before {@code part}. */
  private static int inArray(
      FieldPath path, RawValue array, int part, boolean expand, PathVisitor visitor) {
    if (part >= path.length()) {
      return leafArray(array, expand, visitor);
    }
    return elementsOf(path, array, part, expand, visitor);
  }

  private static int leafArray(RawValue array, boolean expand, PathVisitor visitor) {
    if (expand) {
      ElementCursor cursor = array.elements();
      for (int i = 0; cursor.next(); i++) {
        if (visitor.visit(cursor.value())) {
          return i;
        }
      }
    }
    return result(visitor.visit(array));
  }

  private static int elementsOf(
      FieldPath path, RawValue array, int part, boolean expand, PathVisitor visitor) {
    int position = path.arrayIndex(part);
    boolean endsHere = part + 1 == path.length();
    ElementCursor cursor = array.elements();
    for (int i = 0; cursor.next(); i++) {
      if (cursor.type() == ElementType.DOCUMENT) {
        RawValue element = cursor.value();
        if (inDocument(path, element, part, expand, visitor) != NOT_FOUND) {
          return i;
        }
        if (i == position) {
          visitor.positionEntered();
          int byPosition =
              endsHere
                  ? result(visitor.visit(element))
                  : inDocument(path, element, part + 1, expand, visitor);
          if (byPosition != NOT_FOUND) {
            return byPosition;
          }
        }
      } else if (i == position) {
        RawValue element = cursor.value();
        int byPosition = NOT_FOUND;
        if (endsHere) {
          byPosition = result(visitor.visit(element));
        } else if (element.isArray()) {
          byPosition = elementsOf(path, element, part + 1, expand, visitor);
        }
        if (byPosition != NOT_FOUND) {
          return byPosition;
        }
      }
    }
    return NOT_FOUND;
  }

  private static int result(boolean taken) {
    return taken ? FOUND : NOT_FOUND;
  }
}
