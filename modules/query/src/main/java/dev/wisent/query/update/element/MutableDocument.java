package dev.wisent.query.update.element;

import dev.wisent.bson.ElementCursor;
import dev.wisent.bson.LittleEndian;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import java.util.ArrayList;
import java.util.List;

/**
 * A document or array with edits laid over its bytes. Only fields that change have an object of
 * their own; encoding copies the bytes between them in whole ranges, into an array of exactly the
 * right size.
 *
 * <p>Fields keep their place, new ones go to the end. Elements of arrays are never taken out here
 * (operators that do so rewrite the array), so that the positions in element names stay right.
 */
public final class MutableDocument {
  private final RawDocument base;
  private final boolean array;

  /** Changed fields of {@link #base}, in the order of their bytes. */
  private List<MutableElement> edits = List.of();

  private List<MutableElement> appended = List.of();
  private int baseSize = -1;

  public MutableDocument(RawDocument base, boolean array) {
    this.base = base;
    this.array = array;
  }

  public boolean isArray() {
    return array;
  }

  /** The first field of that name, or null. On arrays use {@link #at}. */
  public MutableElement find(byte[] name) {
    ElementCursor cursor = base.elements();
    while (cursor.next()) {
      if (cursor.nameEquals(name)) {
        MutableElement element = handle(cursor);
        if (!element.isRemoved()) {
          return element;
        }
      }
    }
    for (MutableElement element : appended) {
      if (!element.isRemoved() && element.nameEquals(name)) {
        return element;
      }
    }
    return null;
  }

  /** The field that a path component means here: by name, or by position in an array. */
  public MutableElement find(FieldName name) {
    if (!array) {
      return find(name.utf8());
    }
    return name.index() == FieldName.NOT_AN_INDEX ? null : at(name.index());
  }

  /** The array element at a position, or null beyond the end. */
  public MutableElement at(int index) {
    ElementCursor cursor = base.elements();
    int position = 0;
    while (cursor.next()) {
      if (position++ == index) {
        return handle(cursor);
      }
    }
    for (int i = 0; i < appended.size(); i++) {
      int next = position + appended.get(i).positions();
      if (index < next) {
        return appended.get(i).positions() == 1 ? appended.get(i) : split(i, position, index);
      }
      position = next;
    }
    return null;
  }

  /** The elements of an array as it was, for changing each in turn. */
  public BaseElements baseElements() {
    return new BaseElements();
  }

  /** Number of elements. */
  public int size() {
    if (baseSize < 0) {
      baseSize = base.fieldCount();
    }
    int size = baseSize;
    for (MutableElement element : appended) {
      size += element.positions();
    }
    return size;
  }

  /** Adds a field at the end. In an array the name must be the next position. */
  public MutableElement append(byte[] name, RawValue value) {
    return addLast(new MutableElement(this, name, value, 0));
  }

  /** Adds nulls to the end of an array. */
  public void appendNulls(int count) {
    if (count > 0) {
      addLast(new MutableElement(this, FieldName.ofIndex(size()).utf8(), RawValue.NULL, count));
    }
  }

  /** The document with all edits, over its own bytes. */
  public RawDocument encode() {
    if (edits.isEmpty() && appended.isEmpty()) {
      return base;
    }
    byte[] out = new byte[encodedLength()];
    writeTo(out, 0);
    return RawDocument.of(out);
  }

  int encodedLength() {
    int length = base.length();
    for (MutableElement edit : edits) {
      length += edit.encodedLength(0) - (edit.baseEnd() - edit.baseStart());
    }
    if (!appended.isEmpty()) {
      int index = firstAppendedIndex();
      for (MutableElement element : appended) {
        length = Math.addExact(length, element.encodedLength(index));
        index += element.positions();
      }
    }
    return length;
  }

  int writeTo(byte[] out, int at) {
    byte[] source = base.bytes();
    int from = base.offset() + 4;
    int position = at + 4;
    for (MutableElement edit : edits) {
      int unchanged = edit.baseStart() - from;
      System.arraycopy(source, from, out, position, unchanged);
      position = edit.writeTo(out, position + unchanged, 0);
      from = edit.baseEnd();
    }
    int rest = base.offset() + base.length() - 1 - from;
    System.arraycopy(source, from, out, position, rest);
    position += rest;
    if (!appended.isEmpty()) {
      int index = firstAppendedIndex();
      for (MutableElement element : appended) {
        position = element.writeTo(out, position, index);
        index += element.positions();
      }
    }
    out[position++] = 0;
    LittleEndian.putInt32(out, at, position - at);
    return position;
  }

  /** Keeps the edits in the order of the bytes; mostly the new one comes last. */
  void recordEdit(MutableElement element) {
    if (edits.isEmpty()) {
      edits = new ArrayList<>(4);
    }
    int at = edits.size();
    while (at > 0 && edits.get(at - 1).baseStart() > element.baseStart()) {
      at--;
    }
    edits.add(at, element);
  }

  private MutableElement handle(ElementCursor cursor) {
    int low = 0;
    int high = edits.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int start = edits.get(middle).baseStart();
      if (start == cursor.elementOffset()) {
        return edits.get(middle);
      }
      if (start < cursor.elementOffset()) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return new MutableElement(this, cursor);
  }

  /** Makes one null of a padding run an element of its own. */
  private MutableElement split(int appendedAt, int runStart, int index) {
    MutableElement run = appended.remove(appendedAt);
    int before = index - runStart;
    int after = run.positions() - before - 1;
    var single = new MutableElement(this, FieldName.ofIndex(index).utf8(), RawValue.NULL, 0);
    int at = appendedAt;
    if (before > 0) {
      byte[] name = FieldName.ofIndex(runStart).utf8();
      appended.add(at++, new MutableElement(this, name, RawValue.NULL, before));
    }
    appended.add(at++, single);
    if (after > 0) {
      byte[] name = FieldName.ofIndex(index + 1).utf8();
      appended.add(at, new MutableElement(this, name, RawValue.NULL, after));
    }
    return single;
  }

  private MutableElement addLast(MutableElement element) {
    if (appended.isEmpty()) {
      appended = new ArrayList<>(4);
    }
    appended.add(element);
    return element;
  }

  private int firstAppendedIndex() {
    if (!array) {
      return 0;
    }
    if (baseSize < 0) {
      baseSize = base.fieldCount();
    }
    return baseSize;
  }

  /** Walks the elements that the array had at the start. */
  public final class BaseElements {
    private final ElementCursor cursor = base.elements();
    private int index = -1;

    private BaseElements() {}

    public boolean next() {
      index++;
      return cursor.next();
    }

    public int index() {
      return index;
    }

    /** The value before any change. */
    public RawValue baseValue() {
      return cursor.value();
    }

    public MutableElement element() {
      return handle(cursor);
    }
  }
}
