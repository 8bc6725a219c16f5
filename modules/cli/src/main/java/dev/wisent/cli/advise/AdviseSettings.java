package dev.wisent.cli.advise;

import dev.wisent.base.CommandException;
import dev.wisent.bson.RawDocument;
import dev.wisent.operation.Namespace;
import dev.wisent.sharding.advice.AdviceSettings.Priority;
import dev.wisent.sharding.advice.CandidateKey;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.bson.BSONException;
import org.bson.json.JsonParseException;

/**
 * The flags of {@code wisent advise}, after checking.
 *
 * @param keys those that were given
 * @param insertsPerDay negative where the sample has to tell
 * @param order the field that tells the order of insertion; null for what {@code _id} tells
 * @param html where the page is written; null for none
 * @param peakInserts in a second, 0 for unknown
 * @param peakQueries in a second, 0 for unknown
 */
public record AdviseSettings(
    String uri,
    Namespace namespace,
    List<CandidateKey> keys,
    int shards,
    int chunkMegabytes,
    double memoryGigabytes,
    double insertsPerDay,
    double peakInserts,
    double peakQueries,
    Priority priority,
    int sample,
    QuerySource queries,
    String order,
    Path html) {
  public static final String USAGE =
      """
      Usage: wisent advise --uri mongodb://HOST:PORT --ns DATABASE.COLLECTION [FLAGS]

      Tries shard keys on a sample of a collection and of its queries, and says which one is good and
      why. It reads, and changes nothing. The server may be a replica set, a router or MongoDB.

        --uri URI                    where the collection is, with user and password and the options
                                     of TLS as drivers have them
        --ns DATABASE.COLLECTION     the collection
        --key '{month: 1, user: 1}'  a key to be tried; may be repeated. Others are found by itself
        --html FILE                  write a page with pictures

      What the advice should be for:
        --shards N                   how many shards the collection is to grow to (default: 4)
        --prefer latency|throughput  whether one query should be answered soon, or as many as
                                     possible (default: latency)
        --insertsPerDay N            how fast it grows (default: as in the sample)
        --peakInserts N              inserts in a second at the busiest time (default: not known)
        --peakQueries N              queries in a second at the busiest time (default: not known)
        --memory GB                  of each shard, for data and indexes (default: 16)
        --chunkSize MB               from which on chunks are split (default: 128)

      What is looked at:
        --sample N                   documents, 100 to 200000 (default: 20000)
        --order FIELD                tells the order of insertion (default: _id if it is an ObjectId,
                                     else the order on disk)
        --queries samples|profile|none
                                     those that configureQueryAnalyzer has sampled, or those in
                                     system.profile (default: samples, and without any the profile)
        --help                       show this help
      """;

  private static final Set<String> NAMES =
      Set.of(
          "--uri",
          "--ns",
          "--key",
          "--html",
          "--shards",
          "--prefer",
          "--insertsPerDay",
          "--peakInserts",
          "--peakQueries",
          "--memory",
          "--chunkSize",
          "--sample",
          "--order",
          "--queries");
  private static final int SHARDS_MAX = 1_000;

  /** Where queries come from. */
  public enum QuerySource {
    ANY,
    SAMPLES,
    PROFILE,
    NONE
  }

  public AdviseSettings {
    keys = List.copyOf(keys);
  }

  public static AdviseSettings parse(List<String> arguments) throws AdviseException {
    List<CandidateKey> keys = new ArrayList<>();
    Map<String, String> values = values(arguments, keys);
    return new AdviseSettings(
        required(values, "--uri"),
        namespace(required(values, "--ns")),
        keys,
        (int) number(values, "--shards", 4, 1, SHARDS_MAX),
        (int) number(values, "--chunkSize", 128, 1, 1_024),
        number(values, "--memory", 16, 0, 1e9),
        number(values, "--insertsPerDay", -1, 0, 1e15),
        number(values, "--peakInserts", 0, 0, 1e12),
        number(values, "--peakQueries", 0, 0, 1e12),
        choice(values, "--prefer", Priority.class, Priority.LATENCY),
        (int) number(values, "--sample", 20_000, 100, 200_000),
        choice(values, "--queries", QuerySource.class, QuerySource.ANY),
        values.get("--order"),
        values.containsKey("--html") ? Path.of(values.get("--html")) : null);
  }

  private static Map<String, String> values(List<String> arguments, List<CandidateKey> keys)
      throws AdviseException {
    Map<String, String> values = new HashMap<>();
    int i = 0;
    while (i < arguments.size()) {
      String argument = arguments.get(i);
      int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
      String name = equals < 0 ? argument : argument.substring(0, equals);
      if (!NAMES.contains(name)) {
        throw AdviseException.badOption(
            "unknown flag '" + name + "'; try 'wisent advise --help' for the flags");
      }
      if (equals < 0 && i + 1 == arguments.size()) {
        throw AdviseException.badOption(name + " needs a value");
      }
      String value = equals < 0 ? arguments.get(i + 1) : argument.substring(equals + 1);
      if (name.equals("--key")) {
        keys.add(key(value));
      } else {
        values.put(name, value);
      }
      i += equals < 0 ? 2 : 1;
    }
    return values;
  }

  private static CandidateKey key(String text) throws AdviseException {
    try {
      return CandidateKey.given(RawDocument.parse(text));
    } catch (CommandException | BSONException | JsonParseException e) {
      throw AdviseException.badOption("--key " + text + ": " + e.getMessage());
    }
  }

  private static Namespace namespace(String text) throws AdviseException {
    int dot = text.indexOf('.');
    if (dot <= 0 || !Namespace.isValid(text.substring(0, dot), text.substring(dot + 1))) {
      throw AdviseException.badOption("--ns must be DATABASE.COLLECTION, not '" + text + "'");
    }
    return Namespace.parse(text);
  }

  private static String required(Map<String, String> values, String flag) throws AdviseException {
    String value = values.get(flag);
    if (value == null) {
      throw AdviseException.badOption(flag + " is needed; try 'wisent advise --help'");
    }
    return value;
  }

  private static double number(
      Map<String, String> values, String flag, double otherwise, double min, double max)
      throws AdviseException {
    String text = values.get(flag);
    if (text == null) {
      return otherwise;
    }
    try {
      double number = Double.parseDouble(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Refused below, as a number out of range.
    }
    throw AdviseException.badOption(
        String.format(
            Locale.ROOT, "%s must be a number from %.0f to %.0f, not '%s'", flag, min, max, text));
  }

  private static <E extends Enum<E>> E choice(
      Map<String, String> values, String flag, Class<E> type, E otherwise) throws AdviseException {
    String text = values.get(flag);
    if (text == null) {
      return otherwise;
    }
    for (E each : type.getEnumConstants()) {
      if (each != QuerySource.ANY && each.name().toLowerCase(Locale.ROOT).equals(text)) {
        return each;
      }
    }
    throw AdviseException.badOption(flag + " does not know '" + text + "'; see --help");
  }
}
