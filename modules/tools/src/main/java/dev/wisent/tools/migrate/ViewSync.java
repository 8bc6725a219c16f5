package dev.wisent.tools.migrate;

import dev.wisent.tools.command.ToolException;
import java.util.List;
import java.util.Map;

/** Views, which the migration knows by the definition that it has created. */
final class ViewSync {
  private final TargetCatalog target;
  private final MigrationState state;

  ViewSync(TargetCatalog target, MigrationState state) {
    this.target = target;
    this.state = state;
  }

  /** Whether a view of the target was created by this migration. */
  boolean isOurs(CollectionInfo there) {
    return there.isView() && state.views().containsKey(there.namespace());
  }

  /** Drops views that the source does not have, or has with another definition. */
  void dropGone(List<CollectionInfo> sources) throws ToolException {
    for (Map.Entry<String, String> ours : state.views().entrySet()) {
      boolean same =
          sources.stream()
              .anyMatch(
                  each ->
                      each.namespace().equals(ours.getKey())
                          && MovedCollection.text(each.creation()).equals(ours.getValue()));
      if (!same) {
        CollectionInfo there = target.named(ours.getKey()).orElse(null);
        if (there != null && there.isView()) {
          target.drop(there);
        }
        state.viewDropped(ours.getKey());
      }
    }
  }

  /** Views of the source that the target does not have as yet. */
  List<CollectionInfo> missing(List<CollectionInfo> sources) {
    return sources.stream()
        .filter(each -> target.named(each.namespace()).filter(this::isOurs).isEmpty())
        .toList();
  }

  void create(CollectionInfo view) throws ToolException {
    state.viewCreated(view.namespace(), MovedCollection.text(view.creation()));
    target.create(view, view.creation());
  }
}
