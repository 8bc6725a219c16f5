package dev.wisent.conformance.unified;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/** The last commands that a client sent, oldest first; called on whatever thread sends. */
final class ObservedCommands implements CommandListener {

  private static final int KEPT_MAX = 100;
  private static final Set<String> IGNORED = Set.of("configureFailPoint", "hello", "isMaster");

  private final Deque<BsonDocument> commands = new ArrayDeque<>();

  @Override
  public synchronized void commandStarted(CommandStartedEvent event) {
    if (IGNORED.contains(event.getCommandName())) {
      return;
    }
    // The driver reuses the buffer behind the event's document.
    commands.addLast(event.getCommand().clone());
    if (commands.size() > KEPT_MAX) {
      commands.removeFirst();
    }
  }

  synchronized List<BsonDocument> lastTwo() {
    List<BsonDocument> all = List.copyOf(commands);
    if (all.size() < 2) {
      throw new AssertionError("expected two commands, observed " + all.size());
    }
    return all.subList(all.size() - 2, all.size());
  }
}
