package dev.wisent.tools.restore;

import dev.wisent.tools.command.Messages;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.format.CollectionMetadata;
import dev.wisent.tools.format.DumpFileNames;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What of a dump goes where. Immutable. */
final class RestorePlan {
  private static final Set<String> NOT_RESTORED = Set.of("config", "local");

  private final Map<DumpedCollection, CollectionRestore> restores = new LinkedHashMap<>();
  private final Map<String, CollectionRestore> byTarget = new TreeMap<>();

  private RestorePlan() {}

  static RestorePlan of(DumpSource source, RestoreSettings settings, Messages messages)
      throws ToolException {
    var plan = new RestorePlan();
    for (DumpedCollection dumped : source.collections()) {
      if (!settings.wants(dumped) || isOfUsers(dumped) || isOfServer(dumped)) {
        continue;
      }
      if (NOT_RESTORED.contains(dumped.database())) {
        messages.say(dumped.namespace() + " is of the server itself, and is not restored");
        continue;
      }
      if (dumped.metadata().type().equals(CollectionMetadata.TIMESERIES)) {
        throw ToolException.failed(
            "%s is a time-series collection, which cannot be restored; leave it out by --nsExclude"
                .formatted(dumped.namespace()));
      }
      plan.add(dumped, settings.mapping().target(dumped.namespace()));
    }
    return plan;
  }

  private void add(DumpedCollection dumped, String target) throws ToolException {
    var restore = new CollectionRestore(dumped, target);
    CollectionRestore other = byTarget.put(target, restore);
    if (other != null) {
      throw ToolException.badOption(
          "both %s and %s would be restored as %s"
              .formatted(other.dumped().namespace(), dumped.namespace(), target));
    }
    restores.put(dumped, restore);
  }

  /** Whether they are users or roles, which a server merges. */
  static boolean isOfUsers(DumpedCollection dumped) {
    return dumped.isUsers() || dumped.isRoles() || isOfDatabase(dumped);
  }

  static boolean isOfDatabase(DumpedCollection dumped) {
    return dumped.name().equals(DumpFileNames.USERS_OF_DATABASE)
        || dumped.name().equals(DumpFileNames.ROLES_OF_DATABASE);
  }

  private static boolean isOfServer(DumpedCollection dumped) {
    return dumped.database().equals("admin") && dumped.name().startsWith("system.");
  }

  Optional<CollectionRestore> find(DumpedCollection dumped) {
    return Optional.ofNullable(restores.get(dumped));
  }

  Optional<CollectionRestore> byTarget(String namespace) {
    return Optional.ofNullable(byTarget.get(namespace));
  }

  Collection<CollectionRestore> all() {
    return restores.values();
  }

  List<CollectionRestore> collections() {
    return restores.values().stream().filter(each -> !each.isView()).toList();
  }

  List<CollectionRestore> views() {
    return restores.values().stream().filter(CollectionRestore::isView).toList();
  }

  void print(Messages messages) {
    for (CollectionRestore restore : restores.values()) {
      messages.say(
          "would restore %s %s%s with %d index(es)"
              .formatted(
                  restore.isView() ? "the view" : "the collection",
                  restore,
                  restore.toString().equals(restore.dumped().namespace())
                      ? ""
                      : " from " + restore.dumped().namespace(),
                  restore.indexes().size()));
    }
  }
}
