package dev.wisent.server.command.collection;

import dev.wisent.base.Limits;
import dev.wisent.server.command.ArgumentReader;

/** The {@code cursor: {batchSize: n}} argument. */
public final class CursorArgument {
  private CursorArgument() {}

  /** The batch size that the reader's document names, or the default. */
  public static long batchSize(ArgumentReader reader) {
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader fields = ArgumentReader.of(reader.path(), reader.document());
    while (fields.next()) {
      switch (fields.name()) {
        case "batchSize" -> batchSize = fields.nonNegative();
        default -> fields.unknown();
      }
    }
    return batchSize;
  }
}
