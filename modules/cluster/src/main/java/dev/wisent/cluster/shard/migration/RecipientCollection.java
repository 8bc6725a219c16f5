package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.DropIndexesRequest;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.CommandContext;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Makes the collection of a migration on the recipient what it is on the donor. */
public final class RecipientCollection {
  private final Definitions definitions;
  private final Ownership ownership;
  private final Creation creation;

  /** Creates what is missing of a collection. */
  @FunctionalInterface
  public interface Creation {
    void create(
        Namespace namespace,
        UUID uuid,
        RawDocument options,
        List<RawDocument> indexes,
        CommandContext context);
  }

  public RecipientCollection(Definitions definitions, Ownership ownership, Creation creation) {
    this.definitions = definitions;
    this.ownership = ownership;
    this.creation = creation;
  }

  /** Where a shard has had no chunks for a while, indexes were created and dropped without it. */
  void create(
      Migration migration, RawDocument options, List<RawDocument> indexes, CommandContext context) {
    OwnedRanges known = ownership.tables().collection(migration.namespace());
    if (known == null || known.ranges().isEmpty()) {
      dropOthers(migration.namespace(), indexes, context);
    }
    creation.create(migration.namespace(), migration.uuid(), options, indexes, context);
  }

  private void dropOthers(Namespace namespace, List<RawDocument> indexes, CommandContext context) {
    List<IndexInfo> there = definitions.indexes(namespace);
    var names = new ArrayList<String>();
    for (IndexInfo each : there == null ? List.<IndexInfo>of() : there) {
      String name = DocumentFields.text(each.spec(), "name");
      boolean wanted = indexes.stream().anyMatch(spec -> spec.equals(each.spec()));
      if (!wanted && !"_id_".equals(name)) {
        names.add(name);
      }
    }
    if (!names.isEmpty()) {
      definitions.dropIndexes(context.operation(), new DropIndexesRequest(namespace, names, null));
    }
  }
}
