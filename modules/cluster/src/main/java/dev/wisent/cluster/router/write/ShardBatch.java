package dev.wisent.cluster.router.write;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The statements of a batch that one shard gets in one command, with their places in the batch. */
final class ShardBatch {
  /** What a statement's number takes in {@code stmtIds}. */
  private static final int STATEMENT_ID_BYTES = 12;

  private final String shard;
  private final long bytesMax;
  private final List<RawDocument> statements = new ArrayList<>();
  private int[] indexes = new int[8];
  private long bytes;
  private StatementRest rest = StatementRest.ALL;

  /**
   * @param bytesMax what the statements may take together; a single one may take more
   */
  ShardBatch(String shard, long bytesMax) {
    this.shard = shard;
    this.bytesMax = bytesMax;
  }

  /** For some documents only. */
  ShardBatch only(StatementRest of) {
    rest = of;
    return this;
  }

  /** Which documents it is for. */
  StatementRest rest() {
    return rest;
  }

  String shard() {
    return shard;
  }

  boolean hasRoomFor(RawDocument statement) {
    return statements.isEmpty()
        || (statements.size() < Limits.WRITE_BATCH_MAX
            && bytes + statement.length() + STATEMENT_ID_BYTES <= bytesMax);
  }

  void add(int index, RawDocument statement) {
    if (statements.size() == indexes.length) {
      indexes = Arrays.copyOf(indexes, 2 * indexes.length);
    }
    indexes[statements.size()] = index;
    statements.add(statement);
    bytes += statement.length() + STATEMENT_ID_BYTES;
  }

  int size() {
    return statements.size();
  }

  List<RawDocument> statements() {
    return statements;
  }

  /** The place in the client's batch. */
  int indexAt(int position) {
    return indexes[position];
  }
}
