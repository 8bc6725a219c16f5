package dev.wisent.conformance.unified;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;

/** The last commands that a client sent, oldest first; called on whatever thread sends. */
final class ObservedCommands implements CommandListener {

  private static final int KEPT_MAX = 100;
  private static final Set<String> IGNORED = Set.of("configureFailPoint", "hello", "isMaster");

  private final Set<String> ignored = new HashSet<>(IGNORED);
  private final Deque<Observed> commands = new ArrayDeque<>();

  /** One command as it was sent. */
  record Observed(String name, String database, BsonDocument command) {}

  /**
   * @param ignored names of commands that the case does not count
   */
  ObservedCommands(List<String> ignored) {
    this.ignored.addAll(ignored);
  }

  @Override
  public synchronized void commandStarted(CommandStartedEvent event) {
    if (ignored.contains(event.getCommandName())) {
      return;
    }
    // The driver reuses the buffer behind the event's document.
    commands.addLast(
        new Observed(event.getCommandName(), event.getDatabaseName(), event.getCommand().clone()));
    if (commands.size() > KEPT_MAX) {
      commands.removeFirst();
    }
  }

  synchronized List<Observed> all() {
    return List.copyOf(commands);
  }

  synchronized List<BsonDocument> lastTwo() {
    List<BsonDocument> all = commands.stream().map(Observed::command).toList();
    if (all.size() < 2) {
      throw new AssertionError("expected two commands, observed " + all.size());
    }
    return all.subList(all.size() - 2, all.size());
  }
}
