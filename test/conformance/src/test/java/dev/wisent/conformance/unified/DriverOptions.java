package dev.wisent.conformance.unified;

import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationAlternate;
import com.mongodb.client.model.CollationCaseFirst;
import com.mongodb.client.model.CollationMaxVariable;
import com.mongodb.client.model.CollationStrength;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Translates option documents of the test format into the driver's types. */
final class DriverOptions {

  private DriverOptions() {}

  static ReadConcern readConcern(BsonDocument document) {
    return document.containsKey("level")
        ? new ReadConcern(ReadConcernLevel.fromString(document.getString("level").getValue()))
        : ReadConcern.DEFAULT;
  }

  static WriteConcern writeConcern(BsonDocument document) {
    WriteConcern concern = WriteConcern.ACKNOWLEDGED;
    for (String name : document.keySet()) {
      BsonValue value = document.get(name);
      concern =
          switch (name) {
            case "w" ->
                value.isString()
                    ? concern.withW(value.asString().getValue())
                    : concern.withW(value.asNumber().intValue());
            case "journal", "j" -> concern.withJournal(value.asBoolean().getValue());
            case "wtimeoutMS", "wtimeout" ->
                concern.withWTimeout(value.asNumber().longValue(), TimeUnit.MILLISECONDS);
            default -> throw unknown("write concern", name);
          };
    }
    return concern;
  }

  static ReadPreference readPreference(BsonDocument document) {
    ReadPreference preference = ReadPreference.valueOf(document.getString("mode").getValue());
    return document.containsKey("maxStalenessSeconds")
        ? preference.withMaxStalenessMS(
            document.getNumber("maxStalenessSeconds").longValue(), TimeUnit.SECONDS)
        : preference;
  }

  static ServerApi serverApi(BsonDocument document) {
    ServerApi.Builder builder =
        ServerApi.builder()
            .version(ServerApiVersion.findByValue(document.getString("version").getValue()));
    if (document.containsKey("strict")) {
      builder.strict(document.getBoolean("strict").getValue());
    }
    if (document.containsKey("deprecationErrors")) {
      builder.deprecationErrors(document.getBoolean("deprecationErrors").getValue());
    }
    return builder.build();
  }

  static TransactionOptions transaction(BsonDocument document) {
    TransactionOptions.Builder builder = TransactionOptions.builder();
    for (String name : document.keySet()) {
      BsonValue value = document.get(name);
      switch (name) {
        case "readConcern" -> builder.readConcern(readConcern(value.asDocument()));
        case "writeConcern" -> builder.writeConcern(writeConcern(value.asDocument()));
        case "readPreference" -> builder.readPreference(readPreference(value.asDocument()));
        case "maxCommitTimeMS" ->
            builder.maxCommitTime(value.asNumber().longValue(), TimeUnit.MILLISECONDS);
        default -> throw unknown("transaction option", name);
      }
    }
    return builder.build();
  }

  static Collation collation(BsonDocument document) {
    Collation.Builder builder = Collation.builder();
    for (String name : document.keySet()) {
      BsonValue value = document.get(name);
      switch (name) {
        case "locale" -> builder.locale(value.asString().getValue());
        case "strength" ->
            builder.collationStrength(CollationStrength.fromInt(value.asNumber().intValue()));
        case "caseLevel" -> builder.caseLevel(value.asBoolean().getValue());
        case "caseFirst" ->
            builder.collationCaseFirst(CollationCaseFirst.fromString(value.asString().getValue()));
        case "numericOrdering" -> builder.numericOrdering(value.asBoolean().getValue());
        case "alternate" ->
            builder.collationAlternate(CollationAlternate.fromString(value.asString().getValue()));
        case "maxVariable" ->
            builder.collationMaxVariable(
                CollationMaxVariable.fromString(value.asString().getValue()));
        case "normalization" -> builder.normalization(value.asBoolean().getValue());
        case "backwards" -> builder.backwards(value.asBoolean().getValue());
        default -> throw unknown("collation", name);
      }
    }
    return builder.build();
  }

  private static IllegalArgumentException unknown(String what, String name) {
    return new IllegalArgumentException("unknown " + what + ": " + name);
  }
}
