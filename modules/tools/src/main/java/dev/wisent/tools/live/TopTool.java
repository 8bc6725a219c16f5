package dev.wisent.tools.live;

import com.mongodb.MongoException;
import dev.wisent.tools.command.FlagSpec;
import dev.wisent.tools.command.FlagTable;
import dev.wisent.tools.command.Flags;
import dev.wisent.tools.command.Surroundings;
import dev.wisent.tools.command.ToolException;
import dev.wisent.tools.connection.ConnectionFlags;
import dev.wisent.tools.connection.Deployment;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;

/** {@code wisent top}. */
public final class TopTool {
  private static final int ROWS = 10;
  private static final BsonDocument TOP = new BsonDocument("top", new BsonInt32(1));

  private final LiveFlags flags;
  private final Surroundings surroundings;
  private final TableOutput tables;

  private TopTool(LiveFlags flags, Surroundings surroundings) {
    this.flags = flags;
    this.surroundings = surroundings;
    this.tables = new TableOutput(surroundings.out(), flags.inPlace());
  }

  public static FlagTable flags() {
    var table =
        new FlagTable(
            "top",
            """
            Usage: wisent top [FLAGS] [SECONDS] [URI]

            Shows which collections take how much time, as mongotop does: the ten busiest after each
            interval (default: a second).
            """);
    ConnectionFlags.add(table);
    return table
        .group(
            "Rows",
            List.of(
                FlagSpec.value("rowcount", "N", "so many tables (default: until interrupted)")
                    .letter('n'),
                LiveFlags.INTERACTIVE,
                FlagSpec.on("json", "each table as a line of JSON, with all collections")))
        .refuse("locks", "locks of databases are not counted");
  }

  public static void run(Flags all, Surroundings surroundings) throws ToolException {
    LiveFlags flags = LiveFlags.parse(all);
    try (Deployment deployment = Deployment.connect(all, flags.uri(), surroundings)) {
      new TopTool(flags, surroundings).run(deployment);
    } catch (MongoException e) {
      throw Deployment.failure("no figures", e);
    }
  }

  private void run(Deployment deployment) throws ToolException {
    BsonDocument before = ask(deployment);
    for (int printed = 0; flags.rows() == 0 || printed < flags.rows(); printed++) {
      if (surroundings.interruption().await(flags.seconds() * 1_000L)) {
        return;
      }
      BsonDocument now = ask(deployment);
      print(TopRow.between(before, now));
      surroundings.checkOutput();
      before = now;
    }
  }

  private static BsonDocument ask(Deployment deployment) {
    return deployment
        .database("admin")
        .runCommand(TOP, deployment.settings().getReadPreference(), BsonDocument.class)
        .getDocument("totals");
  }

  private void print(List<TopRow> rows) {
    String time =
        DateTimeFormatter.ISO_OFFSET_DATE_TIME
            .withZone(ZoneId.systemDefault())
            .format(
                Instant.ofEpochMilli(surroundings.clock().wallMillis())
                    .truncatedTo(ChronoUnit.SECONDS));
    if (flags.json()) {
      var totals = new BsonDocument();
      for (TopRow row : rows) {
        totals.append(
            row.namespace(),
            new BsonDocument("total", new BsonInt64(row.total()))
                .append("read", new BsonInt64(row.read()))
                .append("write", new BsonInt64(row.write())));
      }
      BsonDocument all = new BsonDocument("totals", totals).append("time", new BsonString(time));
      tables.print(List.of(all.toJson()));
    } else {
      var table = new TextTable(List.of("ns", "total", "read", "write", time));
      List<List<String>> values = new ArrayList<>();
      for (TopRow row : rows.subList(0, Math.min(ROWS, rows.size()))) {
        values.add(
            List.of(
                row.namespace(), row.total() + "ms", row.read() + "ms", row.write() + "ms", ""));
      }
      List<String> aligned = table.lines(values);
      List<String> lines = new ArrayList<>();
      lines.add(table.header());
      aligned.forEach(line -> lines.add(line.stripTrailing()));
      lines.add("");
      tables.print(lines);
    }
  }
}
