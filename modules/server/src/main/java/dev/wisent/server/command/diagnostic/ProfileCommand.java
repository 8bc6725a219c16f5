package dev.wisent.server.command.diagnostic;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.base.log.Log;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.bson.RawValue;
import dev.wisent.operation.OperationContext;
import dev.wisent.operation.QueryContexts;
import dev.wisent.query.match.MatchParser;
import dev.wisent.server.command.ArgumentReader;
import dev.wisent.server.command.ArgumentTypes;
import dev.wisent.server.command.Command;
import dev.wisent.server.command.CommandContext;
import dev.wisent.server.command.CommandRequest;
import dev.wisent.server.profile.ProfileCollection;
import dev.wisent.server.profile.ProfileSettings;

/**
 * {@code profile}: reads and changes what is recorded. The level and the filter hold for the
 * database, the time and the sample rate for the server, as in MongoDB.
 */
public final class ProfileCommand implements Command {
  private static final int CHANGED_LOG_ID = 48742;
  private static final int LEVEL_MAX = 2;
  private static final String NOTE =
      "When a filter expression is set, slowms and sampleRate are not used for profiling and"
          + " slow-query log lines.";

  private final ProfileSettings settings;
  private final ProfileCollection entries;
  private final Log log;

  /**
   * @param entries null on a router, which has no collections to record anything in
   */
  public ProfileCommand(ProfileSettings settings, ProfileCollection entries, Log log) {
    this.settings = settings;
    this.entries = entries;
    this.log = log;
  }

  @Override
  public void run(CommandRequest request, CommandContext context, BsonBuilder reply) {
    long level = ArgumentTypes.wholeNumber("profile.profile", request.argument());
    long slowMillis = settings.slowMillis();
    double sampleRate = settings.sampleRate();
    RawValue filter = null;
    ArgumentReader reader = ArgumentReader.of(request);
    while (reader.next()) {
      switch (reader.name()) {
        case "slowms" -> slowMillis = reader.wholeNumber();
        case "sampleRate" -> sampleRate = sampleRate(reader);
        case "filter" -> filter = filter(reader.value());
        default -> reader.unknown();
      }
    }
    if (entries == null && level != 0 && level != -1) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Profiling is not permitted on mongoS: the 'profile' field should be 0 to change"
              + " 'slowms', 'sampleRate', or 'filter' settings for logging, or -1 to view current"
              + " values");
    }
    ProfileSettings.Database before = settings.of(request.database());
    appendBefore(before, filter != null, reply);
    // A level that does not exist asks for the settings and changes none but the server's.
    if (level >= 0 && level <= LEVEL_MAX) {
      var changed = change(before, (int) level, filter, context.operation());
      if (changed.level() > 0) {
        entries.prepare(request.database(), context.operation());
      }
      settings.set(request.database(), changed);
      logChange(request.database(), before, changed);
    }
    settings.slowMillis(slowMillis);
    settings.sampleRate(sampleRate);
  }

  private static double sampleRate(ArgumentReader reader) {
    if (!reader.value().isNumber()) {
      throw ArgumentTypes.wrongType(
          reader.path(), reader.value().type(), "[decimal, double, int, long]");
    }
    double rate = reader.value().toDouble();
    if (!(rate >= 0 && rate <= 1)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "'sampleRate' must be between 0.0 and 1.0 inclusive");
    }
    return rate;
  }

  private static RawValue filter(RawValue value) {
    boolean unset = value.isString() && value.asString().equals("unset");
    if (!unset && (!value.isDocument() || value.isArray())) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Expected an object, or the string 'unset'.");
    }
    return value;
  }

  private void appendBefore(
      ProfileSettings.Database before, boolean filterGiven, BsonBuilder reply) {
    reply.appendInt32("was", before.level());
    reply.append("slowms", RawValue.ofInt32((int) settings.slowMillis()));
    reply.appendDouble("sampleRate", settings.sampleRate());
    if (before.filter() != null) {
      reply.appendDocument("filter", before.filter());
    }
    if (before.filter() != null || filterGiven) {
      reply.appendString("note", NOTE);
    }
  }

  private static ProfileSettings.Database change(
      ProfileSettings.Database before, int level, RawValue filter, OperationContext operation) {
    if (filter == null) {
      return new ProfileSettings.Database(level, before.filter(), before.matching());
    }
    if (!filter.isDocument()) {
      return new ProfileSettings.Database(level, null, null);
    }
    RawDocument source = RawDocument.of(filter.asDocument().toByteArray());
    return new ProfileSettings.Database(
        level, source, MatchParser.parse(source, QueryContexts.of(operation)));
  }

  private void logChange(
      String database, ProfileSettings.Database before, ProfileSettings.Database after) {
    log.info(
        CHANGED_LOG_ID,
        "Profiler settings changed",
        "db",
        database,
        "from",
        before.level(),
        "to",
        after.level());
  }
}
