package dev.wisent.simulation.workload;

import java.util.List;

/** Moves, splits and merges ranges, and changes definitions, at random. */
final class Administration implements Runnable {
  private final Session session;
  private final int operations;
  private final List<String> collections;
  private int moved;
  private boolean ended;

  Administration(Session session, int operations, List<String> collections) {
    this.session = session;
    this.operations = operations;
    this.collections = collections;
  }

  boolean hasEnded() {
    return ended;
  }

  int moved() {
    return moved;
  }

  @Override
  public void run() {
    for (int i = 0; i < operations; i++) {
      session.pause(25);
      String command = next();
      var reply = session.tryCall("admin", command);
      boolean ok = reply != null && Session.number(reply, "ok") == 1;
      moved += ok && command.startsWith("{move") ? 1 : 0;
    }
    ended = true;
  }

  private String next() {
    int low = 5 * session.chance(Traffic.KEYS / 5);
    int high = low + 5;
    String name =
        "'"
            + (collections.size() == 1
                ? collections.getFirst()
                : collections.get(session.chance(collections.size())))
            + "'";
    String to = "'shard" + session.chance(2) + "'";
    return switch (session.chance(16)) {
      case 0 -> "{split: " + name + ", middle: {k: " + session.chance(Traffic.KEYS) + "}}";
      case 1 -> "{mergeChunks: " + name + ", bounds: [{k: " + low + "}, {k: " + (high + 5) + "}]}";
      case 2 -> "{movePrimary: 'd', to: " + to + "}";
      case 3 -> "{moveChunk: " + name + ", find: {k: " + low + "}, to: " + to + "}";
      case 4, 5 -> "{moveRange: " + name + ", min: {k: " + low + "}, toShard: " + to + "}";
      default ->
          "{moveRange: "
              + name
              + ", min: {k: "
              + low
              + "}, max: {k: "
              + high
              + "}, toShard: "
              + to
              + (session.chance(3) == 0 ? ", waitForDelete: true}" : "}");
    };
  }
}
