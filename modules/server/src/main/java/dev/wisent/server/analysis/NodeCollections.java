package dev.wisent.server.analysis;

import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.IndexInfo;
import java.util.List;

/** Those of this node. */
final class NodeCollections implements AnalyzedCollections {
  private final Definitions definitions;

  NodeCollections(Definitions definitions) {
    this.definitions = definitions;
  }

  @Override
  public AnalyzedCollection find(OperationContext operation, Namespace namespace) {
    CollectionInfo info = definitions.find(namespace);
    if (info == null || info.isView()) {
      return info == null ? null : new AnalyzedCollection(null, List.of(), false);
    }
    List<IndexInfo> indexes = definitions.indexes(namespace);
    if (indexes == null) {
      return null;
    }
    return new AnalyzedCollection(
        info.uuid(),
        indexes.stream()
            .filter(index -> index.build() == null && !index.multikey())
            .map(IndexInfo::spec)
            .toList(),
        info.options().get("clusteredIndex") == null);
  }

  @Override
  public RawDocument askOwner(
      OperationContext operation, Namespace namespace, RawDocument command) {
    return null;
  }
}
