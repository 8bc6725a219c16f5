package dev.wisent.server.dispatch;

import dev.wisent.server.command.CommandSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All commands by name and alias. Drives dispatch, listCommands and help. */
public final class CommandRegistry {
  private final Map<String, CommandSpec> byName = new HashMap<>();
  private final List<CommandSpec> all;

  public CommandRegistry(List<CommandSpec> specs) {
    for (CommandSpec spec : specs) {
      put(spec.name(), spec);
      spec.aliases().forEach(alias -> put(alias, spec));
    }
    var sorted = new ArrayList<>(specs);
    sorted.sort(Comparator.comparing(CommandSpec::name));
    all = List.copyOf(sorted);
  }

  private void put(String name, CommandSpec spec) {
    if (byName.put(name, spec) != null) {
      throw new IllegalArgumentException("command registered twice: " + name);
    }
  }

  /** The command of this name or alias; null if there is none. */
  public CommandSpec find(String name) {
    return byName.get(name);
  }

  /** Sorted by name. */
  public List<CommandSpec> all() {
    return all;
  }
}
