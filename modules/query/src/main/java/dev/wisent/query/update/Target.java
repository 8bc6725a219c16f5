package dev.wisent.query.update;

/** The field that an operator works on, as error messages name it. */
interface Target {
  /** The dotted path, with array positions filled in. */
  String path();

  /** The last component of the path. */
  String field();

  /** The document's {@code _id} as {@code _id: 1}, or {@code no id}. */
  String documentId();
}
