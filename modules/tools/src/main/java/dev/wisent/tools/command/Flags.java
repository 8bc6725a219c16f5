package dev.wisent.tools.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A command line after parsing. Immutable. */
public final class Flags {
  private final String tool;
  private final Map<String, List<String>> values;
  private final List<String> positional;

  Flags(String tool, Map<String, List<String>> values, List<String> positional) {
    this.tool = tool;
    this.values = new LinkedHashMap<>(values);
    this.positional = List.copyOf(positional);
  }

  /** As it is typed after {@code wisent}. */
  public String tool() {
    return tool;
  }

  /** All that are there, the first of the command line first. */
  public Set<String> names() {
    return Collections.unmodifiableSet(values.keySet());
  }

  public boolean has(String name) {
    return values.containsKey(name);
  }

  public Optional<String> text(String name) {
    return Optional.ofNullable(values.get(name)).map(List::getLast);
  }

  /** By the first of several names that is there. */
  public Optional<String> text(String name, String otherName) {
    return text(name).or(() -> text(otherName));
  }

  public boolean on(String name) {
    return text(name).map(Boolean::valueOf).orElse(false);
  }

  public boolean on(String name, String otherName) {
    return on(name) || on(otherName);
  }

  public List<String> texts(String name) {
    return List.copyOf(values.getOrDefault(name, List.of()));
  }

  public int count(String name) {
    return values.getOrDefault(name, List.of()).size();
  }

  /** What is no flag and no value of one. */
  public List<String> positional() {
    return positional;
  }

  /** A whole number. */
  public int number(String name, int otherwise, int min, int max) throws ToolException {
    Optional<String> given = text(name);
    if (given.isEmpty()) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(given.get());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range.
    }
    throw ToolException.badOption(
        "--%s must be a number from %d to %d, not '%s'".formatted(name, min, max, given.get()));
  }

  /** Refuses flags that cannot be there together. */
  public void exclude(String name, String... others) throws ToolException {
    if (has(name)) {
      for (String other : others) {
        if (has(other)) {
          throw ToolException.badOption("--" + name + " and --" + other + " exclude each other");
        }
      }
    }
  }

  /** Refuses a flag that means nothing without another. */
  public void need(String name, String needed) throws ToolException {
    if (has(name) && !has(needed)) {
      throw ToolException.badOption("--" + name + " needs --" + needed);
    }
  }

  /** With values of a configuration file for flags that are not on the command line. */
  public Flags orElse(Map<String, String> defaults) {
    Map<String, List<String>> all = new LinkedHashMap<>(values);
    defaults.forEach((name, value) -> all.putIfAbsent(name, List.of(value)));
    return new Flags(tool, all, new ArrayList<>(positional));
  }
}
