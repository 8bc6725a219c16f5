package dev.wisent.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The flags of {@code wisent cluster}, after checking.
 *
 * @param shards 0 for one replica set without routers
 * @param members of the set, or of each shard
 * @param port of the first process that clients use; the others follow
 * @param parameters {@code NAME=VALUE}, for every process
 * @param configShard whether the config servers are a shard too
 * @param chunkMegabytes how large chunks become; 0 for what the cluster has
 * @param demo whether a sharded collection is filled to look at
 * @param security of every process
 */
record ClusterSettings(
    int shards,
    int members,
    int configMembers,
    int routers,
    int port,
    Path directory,
    String setName,
    List<String> parameters,
    boolean configShard,
    int chunkMegabytes,
    boolean demo,
    ClusterSecurity security) {
  static final String USAGE =
      """
      Usage: wisent cluster [FLAGS]

      Starts a replica set or a sharded cluster on this machine, one process for each member, and
      prints its connection string. Ctrl-C stops it; the same command starts it again with its data.

        --shards N                   shards behind a router, each a replica set; 0, the default:
                                     one replica set without routers
        --members N                  members of the replica set, or of each shard, 1 to 7
                                     (default: 3, and 1 with --shards)
        --config N                   config servers of a sharded cluster, 1 to 7 (default: as many
                                     as a shard has members)
        --configShard                let the config servers be one more shard
        --routers N                  routers of a sharded cluster (default: 1)
        --chunkSize N                megabytes from which on chunks are split, 1 to 1024
                                     (default: 128, or what was set before)
        --demo                       fill the sharded collection demo.posts, to look at
        --port N                     of the first member or router; the others follow
                                     (default: 27017)
        --dbpath DIR                 where the data is, one directory per process
                                     (default: ./data/cluster)
        --replSet NAME               name of the replica set (default: rs0)
        --setParameter NAME=VALUE    a server parameter of every process; may be repeated
      """
          + "  --help                       show this help\n"
          + ClusterSecurity.USAGE;

  /** A set may have more members, but not more that vote, and this is for trying things out. */
  private static final int MEMBERS_MAX = 7;

  private static final int SHARDS_MAX = 100;
  private static final int ROUTERS_MAX = 100;
  private static final String MEMBERS = "--members";
  private static final String CONFIG = "--config";
  private static final String ROUTERS = "--routers";
  private static final String REPL_SET = "--replSet";
  private static final String SET_PARAMETER = "--setParameter";
  private static final String CHUNK_SIZE = "--chunkSize";
  private static final String DEMO = "--demo";
  private static final String CONFIG_SHARD = "--configShard";

  /** Those that have no value. */
  private static final List<String> SWITCHES = List.of(DEMO, CONFIG_SHARD);

  private static final int CHUNK_MEGABYTES_MAX = 1024;
  private static final List<String> NAMES =
      List.of(
          "--shards",
          MEMBERS,
          CONFIG,
          ROUTERS,
          "--port",
          "--dbpath",
          REPL_SET,
          SET_PARAMETER,
          CHUNK_SIZE,
          CONFIG_SHARD,
          DEMO);

  private static final int PORT_DEFAULT = 27017;
  private static final int PORT_MAX = 65_535;

  ClusterSettings {
    parameters = List.copyOf(parameters);
  }

  /** Of a cluster without settings of its own. */
  ClusterSettings(
      int shards,
      int members,
      int configMembers,
      int routers,
      int port,
      Path directory,
      String setName,
      List<String> parameters) {
    this(
        shards,
        members,
        configMembers,
        routers,
        port,
        directory,
        setName,
        parameters,
        false,
        0,
        false,
        ClusterSecurity.NONE);
  }

  static ClusterSettings parse(List<String> arguments) throws StartException {
    List<String> parameters = new ArrayList<>();
    Map<String, String> values = values(arguments, parameters);
    values.putIfAbsent("--shards", "0");
    int shards = number(values, "--shards", 0, SHARDS_MAX);
    if (shards == 0) {
      refuse(values, CONFIG, "needs --shards: a replica set has no config servers");
      refuse(values, CONFIG_SHARD, "needs --shards: a replica set has no config servers");
      refuse(values, ROUTERS, "needs --shards: a replica set has no routers");
      refuse(values, CHUNK_SIZE, "needs --shards: a replica set has no chunks");
      refuse(values, DEMO, "needs --shards: it fills a sharded collection");
    } else {
      refuse(values, REPL_SET, "is for --shards 0: shards are named shard0, shard1, ...");
    }
    values.putIfAbsent(MEMBERS, shards == 0 ? "3" : "1");
    int members = number(values, MEMBERS, 1, MEMBERS_MAX);
    values.putIfAbsent(CONFIG, Integer.toString(members));
    int configMembers = shards == 0 ? 0 : number(values, CONFIG, 1, MEMBERS_MAX);
    values.putIfAbsent(ROUTERS, "1");
    int routers = shards == 0 ? 0 : number(values, ROUTERS, 1, ROUTERS_MAX);
    values.putIfAbsent("--port", Integer.toString(PORT_DEFAULT));
    int ports = processes(shards, members, configMembers, routers);
    int port = number(values, "--port", 1, PORT_MAX - ports + 1);
    Path directory = Path.of(values.getOrDefault("--dbpath", "data/cluster"));
    String setName = values.getOrDefault(REPL_SET, "rs0");
    int chunkMegabytes =
        values.containsKey(CHUNK_SIZE) ? number(values, CHUNK_SIZE, 1, CHUNK_MEGABYTES_MAX) : 0;
    return new ClusterSettings(
        shards,
        members,
        configMembers,
        routers,
        port,
        directory,
        setName,
        parameters,
        values.containsKey(CONFIG_SHARD),
        chunkMegabytes,
        values.containsKey(DEMO),
        ClusterSecurity.of(values));
  }

  /** How many processes there are. */
  int processes() {
    return processes(shards, members, configMembers, routers);
  }

  private static int processes(int shards, int members, int configMembers, int routers) {
    return Math.max(1, shards) * members + configMembers + routers;
  }

  private static void refuse(Map<String, String> values, String flag, String why)
      throws StartException {
    if (values.containsKey(flag)) {
      throw StartException.badOption(flag + " " + why);
    }
  }

  private static Map<String, String> values(List<String> arguments, List<String> parameters)
      throws StartException {
    Map<String, String> values = new HashMap<>();
    int i = 0;
    while (i < arguments.size()) {
      String argument = arguments.get(i);
      int equals = argument.indexOf('=');
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!NAMES.contains(name) && !ClusterSecurity.has(name)) {
        throw unknown(name);
      }
      if (SWITCHES.contains(argument)) {
        values.put(argument, "");
        i++;
        continue;
      }
      if (equals < 0 && ClusterSecurity.isSwitch(name)) {
        values.put(name, "true");
        i++;
        continue;
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

  private static StartException unknown(String name) {
    String problem =
        ServerFlag.find(Program.SERVER, name).isPresent()
            ? name + " is a flag of 'wisent server', which 'wisent cluster' does not pass on"
            : "unknown flag '" + name + "'";
    return StartException.badOption(problem + "; try 'wisent cluster --help' for the flags");
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
