package dev.wisent.cluster.shard.migration;

import dev.wisent.bson.DocumentFields;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.database.ownership.Ownership;
import dev.wisent.database.session.OperationState;
import dev.wisent.operation.Namespace;
import dev.wisent.operation.definition.CollModRequest;
import dev.wisent.operation.definition.CollectionInfo;
import dev.wisent.operation.definition.Definitions;
import dev.wisent.operation.definition.DropIndexesRequest;
import dev.wisent.operation.definition.IndexInfo;
import dev.wisent.server.command.CommandContext;
import dev.wisent.sharding.OwnedRanges;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** Makes the collection of a migration on the recipient what it is on the donor. */
public final class RecipientCollection {
  /** What {@code collMod} changes of a collection that can be sharded, beside its indexes. */
  private static final List<String> CHANGEABLE =
      List.of(
          "validator",
          "validationLevel",
          "validationAction",
          "expireAfterSeconds",
          "changeStreamPreAndPostImages");

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

  /**
   * Where a shard has had no chunks for a while, indexes were created and dropped without it, and
   * options changed.
   */
  void create(
      Migration migration, RawDocument options, List<RawDocument> indexes, CommandContext context) {
    // Another shard tells change streams of all this.
    OperationState.ofMigration(context.operation());
    OwnedRanges known = ownership.tables().collection(migration.namespace());
    if (known == null || known.ranges().isEmpty()) {
      dropOthers(migration.namespace(), indexes, context);
      changeOptions(migration, options, context);
    }
    creation.create(migration.namespace(), migration.uuid(), options, indexes, context);
  }

  /** A collection with another UUID is refused later. */
  private void changeOptions(Migration migration, RawDocument options, CommandContext context) {
    CollectionInfo there = definitions.find(migration.namespace());
    if (there == null || !migration.uuid().equals(there.uuid())) {
      return;
    }
    var changes = new LinkedHashMap<String, RawValue>();
    for (String option : CHANGEABLE) {
      RawValue wanted = options.get(option);
      if (!Objects.equals(wanted, there.options().get(option))) {
        changes.put(option, wanted);
      }
    }
    if (!changes.isEmpty()) {
      var unused =
          definitions.modify(
              context.operation(), new CollModRequest(migration.namespace(), changes, null, false));
    }
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
