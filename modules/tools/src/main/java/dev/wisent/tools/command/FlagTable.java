package dev.wisent.tools.command;

import dev.wisent.tools.command.FlagSpec.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The flags of a tool, in the groups of its help. Immutable after it was made. */
public final class FlagTable {
  private static final int HELP_COLUMN = 44;
  private static final int LINE = 110;

  private final String tool;
  private final String usage;
  private final Map<String, List<FlagSpec>> groups = new LinkedHashMap<>();
  private final Map<String, FlagSpec> byName = new LinkedHashMap<>();
  private final Map<Character, FlagSpec> byLetter = new LinkedHashMap<>();
  private final Map<String, String> refused = new LinkedHashMap<>();

  /**
   * @param tool as it is typed after {@code wisent}
   * @param usage what the help begins with
   */
  public FlagTable(String tool, String usage) {
    this.tool = tool;
    this.usage = usage;
  }

  public FlagTable group(String title, List<FlagSpec> flags) {
    groups.computeIfAbsent(title, ignored -> new ArrayList<>()).addAll(flags);
    for (FlagSpec flag : flags) {
      byName.put(flag.name(), flag);
      if (flag.letter() != 0) {
        byLetter.put(flag.letter(), flag);
      }
    }
    return this;
  }

  /** A flag of the counterpart that this tool does not have. */
  public FlagTable refuse(String name, String reason) {
    refused.put(name, reason);
    return this;
  }

  public String tool() {
    return tool;
  }

  public Flags parse(List<String> arguments) throws ToolException {
    Map<String, List<String>> values = new LinkedHashMap<>();
    List<String> positional = new ArrayList<>();
    int i = 0;
    while (i < arguments.size()) {
      String argument = arguments.get(i);
      String next = i + 1 < arguments.size() ? arguments.get(i + 1) : null;
      if (argument.equals("--")) {
        positional.addAll(arguments.subList(i + 1, arguments.size()));
        break;
      } else if (argument.startsWith("--")) {
        i += named(argument.substring(2), next, values);
      } else if (argument.startsWith("-") && argument.length() > 1) {
        i += letters(argument.substring(1), next, values);
      } else {
        positional.add(argument);
        i++;
      }
    }
    return new Flags(tool, values, positional);
  }

  private int named(String text, String next, Map<String, List<String>> values)
      throws ToolException {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    FlagSpec flag = byName.get(name);
    if (flag == null) {
      throw unknown("--" + name, name);
    }
    return add(flag, "--" + name, equals < 0 ? null : text.substring(equals + 1), next, values);
  }

  private int letters(String text, String next, Map<String, List<String>> values)
      throws ToolException {
    FlagSpec flag = byLetter.get(text.charAt(0));
    String shown = "-" + text.charAt(0);
    if (flag == null) {
      throw unknown(shown, shown);
    }
    String rest = text.substring(1);
    if (flag.kind() == Kind.COUNT && rest.chars().allMatch(c -> c == flag.letter())) {
      for (int i = 0; i < text.length(); i++) {
        add(flag, shown, null, null, values);
      }
      return 1;
    }
    String attached = rest.isEmpty() ? null : rest.startsWith("=") ? rest.substring(1) : rest;
    return add(flag, shown, attached, next, values);
  }

  /** Returns how many arguments were used. */
  private static int add(
      FlagSpec flag, String shown, String attached, String next, Map<String, List<String>> values)
      throws ToolException {
    List<String> of = values.computeIfAbsent(flag.name(), ignored -> new ArrayList<>());
    switch (flag.kind()) {
      case SWITCH -> {
        if (attached != null && !attached.equals("true") && !attached.equals("false")) {
          throw ToolException.badOption(shown + " is true or false, not '" + attached + "'");
        }
        of.add(attached == null ? "true" : attached);
        return 1;
      }
      case OPTIONAL -> {
        of.add(attached == null ? "" : attached);
        return 1;
      }
      case COUNT -> {
        int times = 1;
        if (attached != null) {
          if (!attached.matches("\\d")) {
            throw ToolException.badOption(shown + " is a number from 0 to 9, not " + attached);
          }
          times = Integer.parseInt(attached);
        }
        for (int i = 0; i < times; i++) {
          of.add("");
        }
        return 1;
      }
      case VALUE, LIST -> {
        if (attached == null && next == null) {
          throw ToolException.badOption(shown + " needs a value");
        }
        of.add(attached == null ? next : attached);
        return attached == null ? 2 : 1;
      }
    }
    throw new IllegalStateException(shown);
  }

  private ToolException unknown(String shown, String name) {
    String reason = Optional.ofNullable(refused.get(name)).orElseGet(() -> refusedByPrefix(name));
    return ToolException.badOption(
        reason == null ? "unknown flag '" + shown + "'" : shown + " is not supported: " + reason);
  }

  private String refusedByPrefix(String name) {
    return refused.entrySet().stream()
        .filter(each -> each.getKey().endsWith("*"))
        .filter(each -> name.startsWith(each.getKey().substring(0, each.getKey().length() - 1)))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(null);
  }

  /** The help. */
  public String help() {
    var text = new StringBuilder(usage);
    groups.forEach(
        (title, flags) -> {
          text.append('\n').append(title).append(":\n");
          flags.stream().filter(flag -> !flag.help().isEmpty()).forEach(f -> describe(f, text));
        });
    return text.toString();
  }

  private static void describe(FlagSpec flag, StringBuilder text) {
    var line = new StringBuilder("  ");
    line.append(flag.letter() == 0 ? "    " : "-" + flag.letter() + ", ");
    line.append("--").append(flag.name());
    if (!flag.value().isEmpty()) {
      line.append(flag.kind() == Kind.OPTIONAL ? "[=" + flag.value() + "]" : " " + flag.value());
    }
    if (line.length() >= HELP_COLUMN - 1) {
      text.append(line).append('\n');
      line.setLength(0);
    }
    for (String word : flag.help().split(" ")) {
      if (line.length() > HELP_COLUMN && line.length() + 1 + word.length() > LINE) {
        text.append(line).append('\n');
        line.setLength(0);
      }
      if (line.length() < HELP_COLUMN) {
        line.append(" ".repeat(HELP_COLUMN - line.length()));
      } else {
        line.append(' ');
      }
      line.append(word);
    }
    text.append(line).append('\n');
  }
}
