package dev.wisent.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The flags of {@code wisent cluster}, after checking.
 *
 * @param parameters {@code NAME=VALUE}, for every member
 */
record ClusterSettings(
    int members, int port, Path directory, String setName, List<String> parameters) {
  static final String USAGE =
      """
      Usage: wisent cluster [FLAGS]

      Starts a replica set on this machine, one process for each member, and prints its
      connection string. Ctrl-C stops it; the same command starts it again with its data.

        --shards N                   0, the default: one replica set without routers; others are
                                     not available
        --members N                  members of the replica set, 1 to 7 (default: 3)
        --port N                     of the first member; the others follow (default: 27017)
        --dbpath DIR                 where the data is, one directory per member
                                     (default: ./data/cluster)
        --replSet NAME               name of the replica set (default: rs0)
        --setParameter NAME=VALUE    a server parameter of every member; may be repeated
        --help                       show this help
      """;

  /** A set may have more members, but not more that vote, and this is for trying things out. */
  private static final int MEMBERS_MAX = 7;

  private static final String SET_PARAMETER = "--setParameter";
  private static final List<String> NAMES =
      List.of("--shards", "--members", "--port", "--dbpath", "--replSet", SET_PARAMETER);

  private static final int PORT_DEFAULT = 27017;
  private static final int PORT_MAX = 65_535;

  ClusterSettings {
    parameters = List.copyOf(parameters);
  }

  static ClusterSettings parse(List<String> arguments) throws StartException {
    List<String> parameters = new ArrayList<>();
    Map<String, String> values = values(arguments, parameters);
    values.putIfAbsent("--shards", "0");
    if (number(values, "--shards", 0, Integer.MAX_VALUE) != 0) {
      throw StartException.badOption(
          "--shards "
              + values.get("--shards")
              + " is not supported: sharding is not available in this version; use --shards 0");
    }
    values.putIfAbsent("--members", "3");
    int members = number(values, "--members", 1, MEMBERS_MAX);
    values.putIfAbsent("--port", Integer.toString(PORT_DEFAULT));
    int port = number(values, "--port", 1, PORT_MAX - members + 1);
    Path directory = Path.of(values.getOrDefault("--dbpath", "data/cluster"));
    String setName = values.getOrDefault("--replSet", "rs0");
    return new ClusterSettings(members, port, directory, setName, parameters);
  }

  private static Map<String, String> values(List<String> arguments, List<String> parameters)
      throws StartException {
    Map<String, String> values = new HashMap<>();
    int i = 0;
    while (i < arguments.size()) {
      String argument = arguments.get(i);
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!NAMES.contains(name)) {
        throw StartException.badOption(
            "unknown flag '" + name + "'; try 'wisent cluster --help' for the flags");
      }
      if (equals < 0 && i + 1 == arguments.size()) {
        throw StartException.badOption(name + " needs a value");
      }
      String value = equals < 0 ? arguments.get(i + 1) : argument.substring(equals + 1);
      if (name.equals(SET_PARAMETER)) {
        parameters.add(value);
      } else {
        values.put(name, value);
      }
      i += equals < 0 ? 2 : 1;
    }
    return values;
  }

  private static int number(Map<String, String> values, String flag, int min, int max)
      throws StartException {
    String text = values.get(flag);
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new StartException(
          ExitCode.BAD_OPTIONS, flag + " must be a number, not '" + text + "'", e);
    }
    if (number < min || number > max) {
      throw StartException.badOption(
          flag + " must be from " + min + " to " + max + ", not " + number);
    }
    return number;
  }
}
