package dev.wisent.tools.importing;

import dev.wisent.tools.text.TextException;
import java.io.IOException;
import org.bson.BsonDocument;

/** Documents of a text. For one thread. */
interface DocumentSource {
  /** The next document; null at the end. */
  BsonDocument next() throws IOException, TextException;

  /** How many rows were left out because of their values. */
  default long skipped() {
    return 0;
  }
}
