package dev.wisent.tools.restore;

import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** Which collections of a dump are restored, and under which names. Immutable. */
final class NamespaceMapping {
  private record Renaming(NamespacePattern from, String to) {}

  private final List<NamespacePattern> included;
  private final List<NamespacePattern> excluded;
  private final List<Renaming> renamings;
  private final List<String> excludedCollections;
  private final List<String> excludedPrefixes;

  private NamespaceMapping(
      List<NamespacePattern> included,
      List<NamespacePattern> excluded,
      List<Renaming> renamings,
      Flags flags) {
    this.included = included;
    this.excluded = excluded;
    this.renamings = renamings;
    this.excludedCollections = flags.texts("excludeCollection");
    this.excludedPrefixes = flags.texts("excludeCollectionsWithPrefix");
  }

  static NamespaceMapping of(Flags flags) throws ToolException {
    List<String> from = flags.texts("nsFrom");
    List<String> to = flags.texts("nsTo");
    if (from.size() != to.size()) {
      throw ToolException.badOption("each --nsFrom needs a --nsTo, and each --nsTo a --nsFrom");
    }
    List<Renaming> renamings = new ArrayList<>();
    for (int i = 0; i < from.size(); i++) {
      NamespacePattern source = NamespacePattern.withVariables(from.get(i));
      NamespacePattern target = NamespacePattern.withVariables(to.get(i));
      if (!new TreeSet<>(source.variables()).equals(new TreeSet<>(target.variables()))) {
        throw ToolException.badOption(
            "--nsFrom %s and --nsTo %s have different variables".formatted(from.get(i), to.get(i)));
      }
      renamings.add(new Renaming(source, to.get(i)));
    }
    return new NamespaceMapping(
        flags.texts("nsInclude").stream().map(NamespacePattern::of).toList(),
        flags.texts("nsExclude").stream().map(NamespacePattern::of).toList(),
        renamings,
        flags);
  }

  boolean isEverything() {
    return included.isEmpty()
        && excluded.isEmpty()
        && renamings.isEmpty()
        && excludedCollections.isEmpty()
        && excludedPrefixes.isEmpty();
  }

  boolean wants(String database, String collection) {
    String namespace = database + "." + collection;
    return (included.isEmpty() || included.stream().anyMatch(each -> each.matches(namespace)))
        && excluded.stream().noneMatch(each -> each.matches(namespace))
        && !excludedCollections.contains(collection)
        && excludedPrefixes.stream().noneMatch(collection::startsWith);
  }

  /** The name by the first pair that matches. */
  String target(String namespace) throws ToolException {
    for (Renaming renaming : renamings) {
      String renamed = renaming.from().rename(namespace, renaming.to());
      if (renamed != null) {
        if (!renamed.matches("(?s)[^.]+\\..+")) {
          throw ToolException.badOption(
              namespace + " would be renamed to '" + renamed + "', which is no collection");
        }
        return renamed;
      }
    }
    return namespace;
  }

  /** How a pipeline's collection is called after renaming, in the database of a view. */
  Optional<String> inDatabase(String database, String collection, String targetDatabase)
      throws ToolException {
    String renamed = target(database + "." + collection);
    return renamed.startsWith(targetDatabase + ".")
        ? Optional.of(renamed.substring(targetDatabase.length() + 1))
        : Optional.empty();
  }
}
