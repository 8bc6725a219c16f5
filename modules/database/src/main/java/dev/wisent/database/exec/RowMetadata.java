package dev.wisent.database.exec;

import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.collection.Collection;
import dev.wisent.database.index.Index;
import dev.wisent.database.plan.PlanNode;
import dev.wisent.pipeline.sort.SortPattern;
import dev.wisent.query.collation.CollationKeys;
import dev.wisent.query.metadata.MetaType;
import dev.wisent.query.metadata.MetadataWriter;
import java.util.Set;

/** Puts on documents what is asked for of the rows that they come from. For one thread. */
final class RowMetadata {
  private static final Set<MetaType> OF_ROWS =
      Set.of(MetaType.INDEX_KEY, MetaType.RECORD_ID, MetaType.SORT_KEY);

  private final Set<MetaType> asked;
  private final boolean clustered;

  /** Null where no keys of a sort are asked for, or there is none. */
  private final ShownSortKeys sortKeys;

  private final MetadataWriter writer = new MetadataWriter();

  private RowMetadata(Set<MetaType> asked, SortPattern sort, Collection collection) {
    this.asked = asked;
    this.clustered = collection.definition().isClustered();
    this.sortKeys =
        sort != null && asked.contains(MetaType.SORT_KEY) ? new ShownSortKeys(sort) : null;
  }

  /** Null where a projection asks for none of it. */
  static RowMetadata of(PlanNode.Project node, Collection collection) {
    Set<MetaType> asked = node.projection().metadata();
    return !asked.isEmpty() && asked.stream().anyMatch(OF_ROWS::contains)
        ? new RowMetadata(asked, node.sort(), collection)
        : null;
  }

  RawDocument on(RawDocument document, Step row) {
    writer.start();
    if (asked.contains(MetaType.RECORD_ID)) {
      writer.put(MetaType.RECORD_ID, RawValue.ofInt64(row.recordId()));
    }
    if (asked.contains(MetaType.INDEX_KEY) && isFoundByKey(row.index())) {
      writer.put(MetaType.INDEX_KEY, RawValue.ofDocument(indexKey(row)));
    }
    if (sortKeys != null) {
      writer.put(MetaType.SORT_KEY, sortKeys.of(row));
    }
    return writer.on(document);
  }

  /** The keys of a text index are not shown, and a clustered collection is no index. */
  private boolean isFoundByKey(Index index) {
    return index != null && index.kind() != Index.Kind.TEXT && !(clustered && index.isId());
  }

  /** The key that a row was found by; null if there is none. */
  static RawDocument indexKey(Step row) {
    RawDocument key = row.keyDocument();
    return key == null || row.index() == null
        ? key
        : CollationKeys.shown(key, row.index().collation());
  }
}
