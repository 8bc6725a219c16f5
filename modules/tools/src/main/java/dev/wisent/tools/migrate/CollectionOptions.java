package dev.wisent.tools.migrate;

import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Which options of a collection can be changed, and how. */
final class CollectionOptions {
  /** Of documents; it is kept from the copy until the end. */
  static final String LIFETIME = "expireAfterSeconds";

  /** What {@code collMod} sets where the option is not there any more. */
  private static final Map<String, BsonValue> WITHOUT =
      Map.of(
          "validator",
          new BsonDocument(),
          "validationLevel",
          new BsonString("strict"),
          "validationAction",
          new BsonString("error"),
          "changeStreamPreAndPostImages",
          new BsonDocument("enabled", BsonBoolean.FALSE));

  private static final Map<String, String> CAPPED =
      Map.of("size", "cappedSize", "max", "cappedMax");

  private CollectionOptions() {}

  /**
   * The {@code collMod} command that makes the change, which has no more than the name if there is
   * nothing to do; empty if only another collection can have these options.
   */
  static Optional<BsonDocument> change(String collection, BsonDocument before, BsonDocument now) {
    var command = new BsonDocument("collMod", new BsonString(collection));
    var names = new TreeSet<>(before.keySet());
    names.addAll(now.keySet());
    names.remove(LIFETIME);
    for (String name : names) {
      BsonValue value = now.get(name);
      if (isSame(value, before.get(name))) {
        continue;
      }
      if (WITHOUT.containsKey(name)) {
        command.append(name, value == null ? WITHOUT.get(name) : value);
      } else if (CAPPED.containsKey(name) && value != null && before.containsKey(name)) {
        command.append(CAPPED.get(name), value);
      } else {
        return Optional.empty();
      }
    }
    return Optional.of(command);
  }

  /**
   * The command that gives an empty collection the options of the source; empty if no command can.
   * The version of a collation is that of the server's library.
   */
  static Optional<BsonDocument> adoption(CollectionInfo there, CollectionInfo source) {
    return change(
        there.name(), withoutVersion(there.creation()), withoutVersion(source.creation()));
  }

  private static BsonDocument withoutVersion(BsonDocument options) {
    if (options.containsKey("collation")) {
      BsonDocument collation = options.getDocument("collation").clone();
      collation.remove("version");
      options.put("collation", collation);
    }
    return options;
  }

  /** Values of the driver are equal where the order of fields is another. */
  private static boolean isSame(BsonValue one, BsonValue other) {
    return one != null
        && other != null
        && MovedCollection.text(new BsonDocument("", one))
            .equals(MovedCollection.text(new BsonDocument("", other)));
  }
}
