package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.pipeline.sort.SortKeyValues;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.CollationKeys;

/** The keys by which rows are sorted, as people see them. For one thread. */
final class ShownSortKeys {
  private final SortKeyValues ofDocuments;

  /** For rows without documents: the keys of an index have its collation in them already. */
  private final SortKeyValues ofKeys;

  private final boolean collated;

  ShownSortKeys(SortPattern sort) {
    this.collated = sort.collation() != null;
    this.ofDocuments = new SortKeyValues(sort);
    this.ofKeys = collated ? new SortKeyValues(new SortPattern(sort.parts(), null)) : ofDocuments;
  }

  /** An array with a value for each part of the sort. */
  RawValue of(Step row) {
    RawDocument document = row.document();
    RawDocument values =
        document == null ? ofKeys.of(row.documentOrKey()) : ofDocuments.of(document);
    RawValue keys = RawValue.ofArray(values);
    return collated ? CollationKeys.shown(keys) : keys;
  }
}
