package dev.wisent.tools.live;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** What two answers to {@code serverStatus} say of the time between them. Immutable. */
final class StatRow {
  private static final List<String> COUNTERS = List.of("insert", "query", "update", "delete");
  private static final double PERCENT = 100;
  private static final double THOUSAND = 1000;
  private static final long MEGABYTE = 1 << 20;

  private final BsonDocument before;
  private final BsonDocument now;
  private final double seconds;
  private final boolean human;

  /**
   * @param seconds between the two
   * @param human whether sizes have units
   */
  StatRow(BsonDocument before, BsonDocument now, double seconds, boolean human) {
    this.before = before;
    this.now = now;
    this.seconds = seconds;
    this.human = human;
  }

  static List<String> names() {
    return List.copyOf(
        new StatRow(new BsonDocument(), new BsonDocument(), 1, true)
            .values(0, ZoneOffset.UTC)
            .keySet());
  }

  /** By the names of the columns, in their order. */
  Map<String, String> values(long wallMillis, ZoneId zone) {
    Map<String, String> row = new LinkedHashMap<>();
    for (String counter : COUNTERS) {
      row.put(counter, operations(counter, false));
    }
    row.put("getmore", String.valueOf(rate("opcounters", "getmore")));
    row.put("command", operations("command", true));
    row.put("dirty", dirty());
    row.put("used", used());
    row.put("flushes", flushes());
    row.put("vsize", megabytes(number(now, "mem", "virtual")));
    row.put("res", megabytes(number(now, "mem", "resident")));
    row.put("qrw", readersAndWriters("currentQueue"));
    row.put("arw", readersAndWriters("activeClients"));
    row.put("net_in", bits(rate("network", "bytesIn")));
    row.put("net_out", bits(rate("network", "bytesOut")));
    row.put("conn", String.valueOf(number(now, "connections", "current")));
    row.put("set", text(now, "repl", "setName"));
    row.put("repl", state());
    row.put("time", time(wallMillis, zone));
    return row;
  }

  private static BsonValue at(BsonDocument document, String... path) {
    BsonValue value = document;
    for (String part : path) {
      value = value instanceof BsonDocument inner ? inner.get(part) : null;
    }
    return value;
  }

  private static long number(BsonDocument document, String... path) {
    BsonValue value = at(document, path);
    return value != null && value.isNumber() ? value.asNumber().longValue() : 0;
  }

  private static String text(BsonDocument document, String... path) {
    BsonValue value = at(document, path);
    return value instanceof BsonString string ? string.getValue() : "";
  }

  private boolean is(String... path) {
    BsonValue value = at(now, path);
    return value != null && value.isBoolean() && value.asBoolean().getValue();
  }

  private long rate(String... path) {
    return Math.max(0, Math.round((number(now, path) - number(before, path)) / seconds));
  }

  /** Those of clients, and with an asterisk or behind a bar those of the replicated log. */
  private String operations(String counter, boolean both) {
    long own = rate("opcounters", counter);
    long replicated = rate("opcountersRepl", counter);
    if (both || (own > 0 && replicated > 0)) {
      return own + "|" + replicated;
    }
    return own > 0 ? String.valueOf(own) : "*" + replicated;
  }

  private static String percent(double part, double of) {
    return of <= 0 ? "" : String.format(Locale.ROOT, "%.1f%%", PERCENT * part / of);
  }

  private String dirty() {
    return at(now, "rocksdb") == null
        ? percent(
            number(now, "wiredTiger", "cache", "tracked dirty bytes in the cache"),
            number(now, "wiredTiger", "cache", "maximum bytes configured"))
        : percent(
            number(now, "rocksdb", "memtable.bytes"),
            number(now, "rocksdb", "cache.capacityBytes"));
  }

  private String used() {
    return at(now, "rocksdb") == null
        ? percent(
            number(now, "wiredTiger", "cache", "bytes currently in the cache"),
            number(now, "wiredTiger", "cache", "maximum bytes configured"))
        : percent(
            number(now, "rocksdb", "cache.usedBytes"),
            number(now, "rocksdb", "cache.capacityBytes"));
  }

  private String flushes() {
    String[] checkpoints = {"wiredTiger", "transaction", "transaction checkpoints"};
    return at(now, "wiredTiger") == null
        ? String.valueOf(number(now, "rocksdb", "flush.running"))
        : String.valueOf(number(now, checkpoints) - number(before, checkpoints));
  }

  private String readersAndWriters(String of) {
    return at(now, "globalLock") == null
        ? ""
        : number(now, "globalLock", of, "readers") + "|" + number(now, "globalLock", of, "writers");
  }

  private String megabytes(long count) {
    if (!human) {
      return String.valueOf(count * MEGABYTE);
    }
    return count < 1024 ? count + "M" : String.format(Locale.ROOT, "%.2fG", count / 1024.0);
  }

  private String bits(long bytes) {
    if (!human) {
      return String.valueOf(bytes);
    }
    double count = bytes * 8.0;
    String[] units = {"b", "k", "m", "g"};
    int unit = 0;
    while (count >= THOUSAND && unit < units.length - 1) {
      count /= THOUSAND;
      unit++;
    }
    return String.format(Locale.ROOT, unit == 0 ? "%.0f%s" : "%.1f%s", count, units[unit]);
  }

  private String state() {
    if (at(now, "repl") == null) {
      return text(now, "process").contains("mongos") ? "RTR" : "";
    }
    if (is("repl", "isWritablePrimary") || is("repl", "ismaster")) {
      return "PRI";
    }
    return is("repl", "secondary") ? "SEC" : is("repl", "arbiterOnly") ? "ARB" : "REC";
  }

  private String time(long wallMillis, ZoneId zone) {
    return DateTimeFormatter.ofPattern(
            human ? "MMM dd HH:mm:ss.SSS" : "uuuu-MM-dd'T'HH:mm:ssXXX", Locale.ENGLISH)
        .withZone(zone)
        .format(Instant.ofEpochMilli(wallMillis));
  }
}
