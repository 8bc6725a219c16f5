package dev.wisent.cluster.router.write;

import dev.wisent.base.CommandException;
import java.util.Set;

/** Where a statement of a batch goes. */
sealed interface StatementTarget {
  /** To all of these shards. */
  record Shards(Set<String> names) implements StatementTarget {
    static Shards one(String name) {
      return new Shards(Set.of(name));
    }

    boolean isOne() {
      return names.size() == 1;
    }

    String first() {
      return names.iterator().next();
    }
  }

  /** To the shard of one document, which has to be found first. */
  record Unknown() implements StatementTarget {}

  /** Nowhere: it cannot be executed. */
  record Refused(CommandException error) implements StatementTarget {}
}
