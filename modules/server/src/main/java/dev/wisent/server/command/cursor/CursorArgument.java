package dev.wisent.server.command.cursor;

import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import dev.wisent.server.command.ArgumentReader;

/** The {@code cursor: {batchSize: n}} argument. */
public final class CursorArgument {
  private CursorArgument() {}

  /** The batch size that the reader's document names, or the default. */
  public static long batchSize(ArgumentReader reader) {
    return batchSize(reader.path(), reader.document());
  }

  /** As {@link #batchSize(ArgumentReader)}; {@code path} names the document in errors. */
  public static long batchSize(String path, RawDocument document) {
    long batchSize = Limits.FIRST_BATCH_DEFAULT;
    ArgumentReader fields = ArgumentReader.of(path, document);
    while (fields.next()) {
      switch (fields.name()) {
        case "batchSize" -> batchSize = fields.nonNegative();
        default -> fields.unknown();
      }
    }
    return batchSize;
  }
}
