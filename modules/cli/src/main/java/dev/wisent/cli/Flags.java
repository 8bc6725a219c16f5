package dev.wisent.cli;

import dev.wisent.cli.IgnoredOptions.Ignored;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A command line, split into flags and their values: {@code --flag value}, {@code --flag=value},
 * switches, and {@code -vvv}. Of two values the later one counts.
 *
 * <p>By hand, because it is little, and because an annotation-driven parser took 150 ms of a start
 * that should take half a second.
 */
final class Flags {
  private final Map<ServerFlag, List<String>> values = new EnumMap<>(ServerFlag.class);
  private final List<Ignored> ignored = new ArrayList<>();

  private final Program program;

  private Flags(Program program) {
    this.program = program;
  }

  static Flags parse(Program program, List<String> arguments) throws StartException {
    Flags flags = new Flags(program);
    int i = 0;
    while (i < arguments.size()) {
      i += flags.read(arguments, i);
    }
    return flags;
  }

  /** Reads the flag at a position and returns how many arguments it took. */
  private int read(List<String> arguments, int at) throws StartException {
    String argument = arguments.get(at);
    if (argument.matches("-v+")) {
      for (int i = 1; i < argument.length(); i++) {
        add(ServerFlag.VERBOSE, "true");
      }
      return 1;
    }
    int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
    String name = equals < 0 ? argument : argument.substring(0, equals);
    boolean last = at + 1 == arguments.size();
    String given = equals >= 0 ? argument.substring(equals + 1) : last ? "" : arguments.get(at + 1);
    Optional<Ignored> without = IgnoredOptions.find(name, given);
    if (without.isPresent()) {
      ignored.add(without.get());
      return equals < 0 && without.get().takesValue() && !last ? 2 : 1;
    }
    ServerFlag flag = ServerFlag.find(program, name).orElseThrow(() -> unknown(name));
    if (!flag.takesValue()) {
      add(flag, equals < 0 ? "true" : switchValue(name, argument.substring(equals + 1)));
      return 1;
    }
    if (equals < 0 && last) {
      throw StartException.badOption(name + " needs a value");
    }
    add(flag, given);
    return equals < 0 ? 2 : 1;
  }

  private static StartException unknown(String name) {
    return StartException.badOption(
        UnsupportedOptions.reason(name)
            .map(reason -> name + " is not supported: " + reason)
            .orElse("unknown flag '" + name + "'"));
  }

  /** The flags that have no effect. */
  List<Ignored> ignored() {
    return ignored;
  }

  private static String switchValue(String name, String value) throws StartException {
    if (!value.equals("true") && !value.equals("false")) {
      throw StartException.badOption(name + " is true or false, not '" + value + "'");
    }
    return value;
  }

  private void add(ServerFlag flag, String value) {
    values.computeIfAbsent(flag, ignored -> new ArrayList<>()).add(value);
  }

  Optional<String> text(ServerFlag flag) {
    return Optional.ofNullable(values.get(flag)).map(List::getLast);
  }

  boolean on(ServerFlag flag) {
    return text(flag).map(Boolean::valueOf).orElse(false);
  }

  /** How often a switch was given. */
  int count(ServerFlag flag) {
    return values.getOrDefault(flag, List.of()).size();
  }

  Optional<Double> fraction(ServerFlag flag) throws StartException {
    Optional<String> text = text(flag);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      double fraction = Double.parseDouble(text.get());
      if (fraction >= 0 && fraction <= 1) {
        return Optional.of(fraction);
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range.
    }
    throw StartException.badOption(
        flag.displayName() + " must be from 0 to 1, not '" + text.get() + "'");
  }

  Optional<Integer> number(ServerFlag flag, int min, int max) throws StartException {
    Optional<String> text = text(flag);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    int number;
    try {
      number = Integer.parseInt(text.get());
    } catch (NumberFormatException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS,
          flag.displayName() + " must be a number, not '" + text.get() + "'",
          e);
    }
    if (number < min || number > max) {
      throw StartException.badOption(
          flag.displayName() + " must be from " + min + " to " + max + ", not " + number);
    }
    return Optional.of(number);
  }

  /** The values of a flag that takes NAME=VALUE, by name. */
  Map<String, String> assignments(ServerFlag flag) throws StartException {
    Map<String, String> result = new LinkedHashMap<>();
    for (String assignment : values.getOrDefault(flag, List.of())) {
      int equals = assignment.indexOf('=');
      if (equals <= 0) {
        throw StartException.badOption(
            flag.displayName() + " needs NAME=VALUE, not '" + assignment + "'");
      }
      result.put(assignment.substring(0, equals), assignment.substring(equals + 1));
    }
    return result;
  }
}
