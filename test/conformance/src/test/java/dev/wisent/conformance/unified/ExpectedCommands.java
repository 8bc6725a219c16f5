package dev.wisent.conformance.unified;

import dev.wisent.conformance.unified.ObservedCommands.Observed;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.opentest4j.TestAbortedException;

/**
 * Compares the commands that the clients of a case sent with {@code expectEvents}. They show what
 * the driver made of the server's replies: numbers of transactions, times, retries.
 */
record ExpectedCommands(Entities entities) {

  void check(BsonArray expectEvents) {
    expectEvents.forEach(value -> checkClient(value.asDocument()));
  }

  private void checkClient(BsonDocument expected) {
    if (!expected.getString("eventType", new BsonString("command")).getValue().equals("command")) {
      throw new TestAbortedException("events other than commands");
    }
    BsonArray events = expected.getArray("events");
    boolean more = expected.getBoolean("ignoreExtraEvents", BsonBoolean.FALSE).getValue();
    List<Observed> observed =
        entities.find(expected.getString("client").getValue(), ClientEntity.class).commands().all();
    List<String> names = observed.stream().map(Observed::name).toList();
    if (observed.size() < events.size() || (!more && observed.size() > events.size())) {
      throw new AssertionError(
          "expected " + events.size() + " commands but the client sent " + names);
    }
    for (int i = 0; i < events.size(); i++) {
      checkCommand(i, started(events.get(i)), observed.get(i), names);
    }
  }

  private static BsonDocument started(BsonValue event) {
    String kind = event.asDocument().getFirstKey();
    if (!kind.equals("commandStartedEvent")) {
      throw new TestAbortedException("event " + kind);
    }
    return event.asDocument().getDocument(kind);
  }

  private void checkCommand(
      int index, BsonDocument expected, Observed observed, List<String> names) {
    try {
      if (expected.containsKey("command")) {
        new ValueMatcher(entities).check(expected.get("command"), observed.command());
      }
      checkName(expected, "commandName", observed.name());
      checkName(expected, "databaseName", observed.database());
    } catch (AssertionError e) {
      throw new AssertionError(
          "command %d of %s, %s: %s"
              .formatted(index, names, observed.command().toJson(), e.getMessage()),
          e);
    }
  }

  private static void checkName(BsonDocument expected, String field, String actual) {
    if (expected.containsKey(field) && !expected.getString(field).getValue().equals(actual)) {
      throw new AssertionError(
          field + ": expected " + expected.getString(field).getValue() + " but was " + actual);
    }
  }
}
