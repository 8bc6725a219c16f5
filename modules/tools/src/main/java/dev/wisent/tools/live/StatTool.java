package dev.wisent.tools.live;

import com.mongodb.MongoException;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Deployment;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/** {@code wisent stat}. */
public final class StatTool {
  private static final int HEADER_EVERY = 10;
  private static final double NANOS = 1e9;
  private static final BsonDocument STATUS = new BsonDocument("serverStatus", new BsonInt32(1));

  private final LiveFlags flags;
  private final boolean discover;
  private final boolean human;
  private final Surroundings surroundings;
  private final TextTable table;
  private final TableOutput tables;
  private final Map<String, BsonDocument> before = new TreeMap<>();
  private final boolean withHosts;
  private final StatColumns columns;
  private int printed;

  private StatTool(Flags all, LiveFlags flags, Surroundings surroundings, boolean withHosts)
      throws ToolException {
    this.flags = flags;
    this.discover = all.on("discover");
    this.human = !all.text("humanReadable").orElse("true").equals("false");
    this.surroundings = surroundings;
    this.withHosts = withHosts;
    this.columns = columns(all, withHosts);
    this.table = new TextTable(columns.names());
    this.tables = new TableOutput(surroundings.out(), flags.inPlace());
  }

  private static StatColumns columns(Flags all, boolean withHosts) throws ToolException {
    all.exclude("columns", "appendColumns");
    if (all.has("columns")) {
      return StatColumns.of("-o", all.text("columns").get());
    }
    StatColumns standard = StatColumns.standard(withHosts);
    return all.has("appendColumns")
        ? standard.and(StatColumns.of("-O", all.text("appendColumns").get()))
        : standard;
  }

  public static FlagTable flags() {
    var table =
        new FlagTable(
            "stat",
            """
            Usage: wisent stat [FLAGS] [SECONDS] [URI]

            Shows what servers do, as mongostat does: a row for each after each interval (default: a
            second). Operations are per second; those after an asterisk or a bar came by the replicated
            log. dirty and used are parts of the cache, net_in and net_out bits per second.
            """);
    ConnectionFlags.add(table);
    return table
        .group(
            "Rows",
            List.of(
                FlagSpec.value("rowcount", "N", "so many (default: until it is interrupted)")
                    .letter('n'),
                FlagSpec.on("discover", "all members; on a router all servers of the cluster"),
                LiveFlags.INTERACTIVE,
                FlagSpec.on("json", "each interval as a line of JSON"),
                FlagSpec.on("noheaders", "no names of columns"),
                FlagSpec.value(
                        "columns",
                        "NAME,...",
                        "only these columns; also host, and paths of serverStatus with .diff() or"
                            + " .rate() behind them, each with =NAME for another name")
                    .letter('o'),
                FlagSpec.value("appendColumns", "NAME,...", "these after the others").letter('O'),
                FlagSpec.value("humanReadable", "true|false", "sizes with units (default: true)")))
        .refuse("all", "all columns are shown")
        .refuse("http", "servers have no port for HTTP")
        .refuse("useDeprecatedJsonKeys", "the names are those of the columns");
  }

  public static void run(Flags all, Surroundings surroundings) throws ToolException {
    LiveFlags flags = LiveFlags.parse(all);
    try (Deployment deployment = Deployment.connect(all, flags.uri(), surroundings);
        var members = new Members(deployment, surroundings)) {
      members.addSeeds();
      boolean several =
          all.on("discover") || deployment.settings().getClusterSettings().getHosts().size() > 1;
      new StatTool(all, flags, surroundings, several).run(members);
    } catch (MongoException e) {
      throw Deployment.failure("no figures", e);
    }
  }

  private void run(Members members) throws ToolException {
    long last = 0;
    while (flags.rows() == 0 || printed <= flags.rows()) {
      if (discover) {
        members.discover();
      }
      long now = surroundings.clock().monotonicNanos();
      Map<String, BsonDocument> answers = members.askAll(STATUS);
      if (printed > 0) {
        print(answers, (now - last) / NANOS);
        surroundings.checkOutput();
      }
      last = now;
      printed++;
      before.clear();
      before.putAll(answers);
      boolean more = flags.rows() == 0 || printed <= flags.rows();
      if (more && surroundings.interruption().await(flags.seconds() * 1_000L)) {
        return;
      }
    }
  }

  private void print(Map<String, BsonDocument> answers, double seconds) {
    long wall = surroundings.clock().wallMillis();
    Map<String, Map<String, String>> rows = new LinkedHashMap<>();
    Map<String, String> silent = new LinkedHashMap<>();
    answers.forEach(
        (host, now) -> {
          if (now.containsKey("errmsg")) {
            silent.put(host, now.getString("errmsg").getValue());
          } else {
            BsonDocument old = before.getOrDefault(host, now);
            Map<String, String> row =
                new StatRow(old, now, seconds, human).values(wall, ZoneId.systemDefault());
            rows.put(host, columns.values(host, row, old, now, seconds));
          }
        });
    if (flags.json()) {
      tables.print(List.of(json(rows, silent)));
    } else {
      tables.print(table(rows, silent));
    }
  }

  private static String json(Map<String, Map<String, String>> rows, Map<String, String> silent) {
    var all = new BsonDocument();
    rows.forEach(
        (host, row) -> {
          var values = new BsonDocument();
          row.forEach((name, value) -> values.append(name, new BsonString(value)));
          values.remove("host");
          all.append(host, values);
        });
    silent.forEach((host, why) -> all.append(host, new BsonDocument("error", new BsonString(why))));
    return all.toJson();
  }

  private List<String> table(Map<String, Map<String, String>> rows, Map<String, String> silent) {
    List<List<String>> values = new ArrayList<>();
    rows.values().forEach(row -> values.add(List.copyOf(row.values())));
    List<String> aligned = table.lines(values);
    List<String> lines = new ArrayList<>();
    boolean whole = withHosts || flags.inPlace();
    if (flags.header() && (whole || (printed - 1) % HEADER_EVERY == 0)) {
      if (withHosts && printed > 1 && !flags.inPlace()) {
        lines.add("");
      }
      lines.add(table.header());
    }
    lines.addAll(aligned);
    silent.forEach((host, why) -> lines.add(host + " " + why));
    return lines;
  }
}
