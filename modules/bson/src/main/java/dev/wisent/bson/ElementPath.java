package dev.wisent.bson;

import java.nio.charset.StandardCharsets;

/** Says where in a document an element stands, for messages about malformed ones. */
final class ElementPath {
  private static final int NAME_BYTES_MAX = 128;

  private ElementPath() {}

  /**
   * Names the element that begins at {@code target} by its path. Everything before it must have
   * been found valid; its own name need not be terminated.
   */
  static String describe(byte[] bytes, int root, int target) {
    var path = new StringBuilder();
    int last = root + LittleEndian.int32(bytes, root) - 1;
    int at = root + 4;
    while (at < target) {
      byte type = bytes[at];
      int name = at + 1;
      int value = CString.end(bytes, name) + 1;
      int end = value + RawValue.lengthAt(type, bytes, value);
      if (end <= target) {
        at = end;
        continue;
      }
      append(path, bytes, name, value - 1);
      path.append('.');
      last = end - 1;
      at = value + 4;
      if (type == ElementType.CODE_WITH_SCOPE) {
        at += 8 + LittleEndian.int32(bytes, value + 4);
      }
    }
    int end = target + 1;
    while (end < last && bytes[end] != 0) {
      end++;
    }
    append(path, bytes, target + 1, end);
    return "in element with field name '" + path + "' at offset " + (target - root);
  }

  private static void append(StringBuilder path, byte[] bytes, int from, int end) {
    int length = Math.max(0, Math.min(end - from, NAME_BYTES_MAX));
    path.append(new String(bytes, from, length, StandardCharsets.UTF_8));
    if (end - from > NAME_BYTES_MAX) {
      path.append("...");
    }
  }
}
