package dev.wisent.query.diff;

import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.ElementType;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.query.diff.DiffTargets.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The difference between two versions of a document. {@link DiffApplier} makes the second from the
 * first, byte for byte; doing so again changes nothing.
 *
 * <p>A nested value is written whole where that is not longer than its difference, unless it is
 * known which paths were to be changed: then the difference tells of these paths.
 */
public final class DocumentDiff {
  /** Values nested deeper are written whole, so that hostile documents cannot exhaust the stack. */
  private static final int DEPTH_MAX = 64;

  private DocumentDiff() {}

  /** Null where names of fields do not say which field is meant, because one is there twice. */
  public static RawDocument between(RawDocument before, RawDocument after) {
    return between(before, after, DiffTargets.UNKNOWN);
  }

  /** The same where the paths are known that were to be changed. */
  public static RawDocument between(RawDocument before, RawDocument after, DiffTargets targets) {
    return ofDocuments(before, after, 0, targets.root());
  }

  /** A field whose difference is written instead of its value. */
  private record Nested(byte[] prefixedName, RawDocument diff) {}

  private static RawDocument ofDocuments(
      RawDocument before, RawDocument after, int depth, Node target) {
    var names = new FieldNames(after);
    if (!names.areDistinct() || !new FieldNames(before).areDistinct()) {
      return null;
    }
    var deleted = new BsonBuilder(32);
    var updated = new BsonBuilder(64);
    List<Nested> nested = new ArrayList<>(0);
    ElementCursor old = before.elements();
    ElementCursor current = after.elements();
    boolean more = current.next();
    while (old.next()) {
      if (more && sameName(old, current)) {
        if (!sameValue(old, current)) {
          RawDocument inner =
              ofValues(old.value(), current.value(), depth + 1, child(target, current));
          if (inner == null) {
            updated.appendElement(current);
          } else {
            nested.add(new Nested(prefixed('s', current), inner));
          }
        }
        more = current.next();
      } else if (!names.contains(old)) {
        deleted.append(old.nameBytes(), RawValue.FALSE);
      }
      // A field that comes later now is among those at the end, and goes there when it is applied.
    }
    var inserted = new BsonBuilder(64);
    while (more) {
      inserted.appendElement(current);
      more = current.next();
    }
    var out = new BsonBuilder(128);
    appendUnlessEmpty("d", deleted, out);
    appendUnlessEmpty("u", updated, out);
    appendUnlessEmpty("i", inserted, out);
    for (Nested field : nested) {
      out.append(field.prefixedName(), RawValue.ofDocument(field.diff()));
    }
    return depth == 0 || leadsOn(target) ? out.toDocument() : shorter(out, after);
  }

  private static void appendUnlessEmpty(String name, BsonBuilder section, BsonBuilder out) {
    section.end();
    var document = new RawDocument(section.bytes(), 0, section.position());
    if (!document.isEmpty()) {
      out.appendDocument(name, document);
    }
  }

  /**
   * The difference of two values that are both documents or both arrays; null to write it whole.
   */
  private static RawDocument ofValues(RawValue before, RawValue after, int depth, Node target) {
    boolean whole = target != null && target.isEnd() && after.isDocument();
    if (before.type() != after.type() || depth > DEPTH_MAX || whole) {
      return null;
    }
    return switch (after.type()) {
      case ElementType.DOCUMENT ->
          ofDocuments(before.asDocument(), after.asDocument(), depth, target);
      case ElementType.ARRAY -> ofArrays(before.asDocument(), after.asDocument(), depth, target);
      default -> null;
    };
  }

  private static RawDocument ofArrays(
      RawDocument before, RawDocument after, int depth, Node target) {
    int length = length(after);
    int oldLength = length(before);
    if (length < 0 || oldLength < 0) {
      return null;
    }
    var out = new BsonBuilder(64).appendBoolean("a", true);
    if (length < oldLength) {
      out.appendInt32("l", length);
    }
    ElementCursor old = before.elements();
    ElementCursor current = after.elements();
    while (current.next()) {
      if (!old.next()) {
        out.append(prefixed('u', current), current.value());
      } else if (!sameValue(old, current)) {
        RawDocument inner =
            ofValues(old.value(), current.value(), depth + 1, child(target, current));
        if (inner == null) {
          out.append(prefixed('u', current), current.value());
        } else {
          out.append(prefixed('s', current), RawValue.ofDocument(inner));
        }
      }
      if (!leadsOn(target) && out.position() >= after.length()) {
        return null;
      }
    }
    return leadsOn(target) ? out.toDocument() : shorter(out, after);
  }

  private static Node child(Node target, ElementCursor field) {
    return target == null || !target.leadsOn() ? null : target.child(field.name());
  }

  private static boolean leadsOn(Node target) {
    return target != null && target.leadsOn();
  }

  /** How many elements an array has; -1 if they are not named by their positions. */
  private static int length(RawDocument array) {
    int length = 0;
    ElementCursor elements = array.elements();
    while (elements.next()) {
      if (!isNumber(elements, length)) {
        return -1;
      }
      length++;
    }
    return length;
  }

  private static boolean isNumber(ElementCursor element, int number) {
    int rest = number;
    int at = element.nameOffset() + element.nameLength();
    do {
      if (at == element.nameOffset() || element.bytes()[--at] != '0' + rest % 10) {
        return false;
      }
      rest /= 10;
    } while (rest > 0);
    return at == element.nameOffset();
  }

  private static RawDocument shorter(BsonBuilder out, RawDocument after) {
    return out.position() + 1 < after.length() ? out.toDocument() : null;
  }

  private static byte[] prefixed(char prefix, ElementCursor field) {
    byte[] name = new byte[field.nameLength() + 1];
    name[0] = (byte) prefix;
    System.arraycopy(field.bytes(), field.nameOffset(), name, 1, field.nameLength());
    return name;
  }

  private static boolean sameName(ElementCursor a, ElementCursor b) {
    return Arrays.equals(
        a.bytes(),
        a.nameOffset(),
        a.nameOffset() + a.nameLength(),
        b.bytes(),
        b.nameOffset(),
        b.nameOffset() + b.nameLength());
  }

  private static boolean sameValue(ElementCursor a, ElementCursor b) {
    return a.type() == b.type()
        && Arrays.equals(
            a.bytes(),
            a.valueOffset(),
            a.valueOffset() + a.valueLength(),
            b.bytes(),
            b.valueOffset(),
            b.valueOffset() + b.valueLength());
  }
}
