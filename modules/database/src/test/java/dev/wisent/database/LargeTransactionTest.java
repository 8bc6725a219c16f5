package dev.wisent.database;

import static dev.wisent.database.transaction.TestTransaction.error;
import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.base.ErrorCode;
import dev.wisent.bson.RawDocument;
import dev.wisent.database.transaction.TestTransaction;
import dev.wisent.operation.FindRequest;
import dev.wisent.operation.Namespace;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeTransactionTest {
  private static final int DOCUMENT_BYTES = 3 << 20;

  private TestDatabase database;

  private void open(Path directory, long mutationBytesMax) {
    database = TestDatabase.open(directory, log -> new OplogKeepingLog(log, mutationBytesMax));
    database.create("{}");
  }

  @AfterEach
  void close() {
    database.database().transactions().abortAll(any -> true, ErrorCode.INTERRUPTED);
    database.assertValid();
    database.assertNothingLeaks();
    database.close();
  }

  private static String large(int id) {
    return "{_id: %d, s: '%s'}".formatted(id, "x".repeat(DOCUMENT_BYTES));
  }

  @Test
  void entriesOfMoreThanADocumentAreChained(@TempDir Path directory) {
    open(directory, 64 << 20);
    var transaction = TestTransaction.of(database);
    for (int id = 0; id < 8; id++) {
      transaction.insert(large(id));
    }
    transaction.commit();
    assertThat(database.count("{}")).isEqualTo(8);
    List<RawDocument> oplog =
        database.find(FindRequest.of(new Namespace("local", "oplog.rs"), RawDocument.EMPTY));
    RawDocument last = oplog.getLast();
    RawDocument first = oplog.get(oplog.size() - 2);
    assertThat(first.get("o").asDocument().get("partialTxn").asBoolean()).isTrue();
    assertThat(first.get("prevOpTime").asDocument().get("t").toLong()).isEqualTo(-1);
    assertThat(last.get("o").asDocument().get("count").toLong()).isEqualTo(8);
    RawDocument previous = last.get("prevOpTime").asDocument();
    assertThat(previous.get("ts")).isEqualTo(first.get("ts"));
    assertThat(previous.get("t")).isEqualTo(first.get("t"));
    assertThat(last.get("txnNumber")).isEqualTo(first.get("txnNumber"));
  }

  @Test
  void moreThanTheLogTakesIsRefused(@TempDir Path directory) {
    open(directory, 10 << 20);
    var transaction = TestTransaction.of(database);
    transaction.insert(large(0));
    transaction.insert(large(1));
    // Two fit as operations, and not with the records.
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
    assertThat(error(transaction::commit).code()).isEqualTo(ErrorCode.NO_SUCH_TRANSACTION);
    var larger = TestTransaction.of(database);
    for (int id = 0; id < 3; id++) {
      larger.insert(large(id));
    }
    assertThat(error(() -> larger.insert(large(3))).code())
        .isEqualTo(ErrorCode.TRANSACTION_TOO_LARGE);
    assertThat(database.count("{}")).isZero();
  }

  @Test
  void writesTakeFromTheMemoryOfTheNode(@TempDir Path directory) {
    open(directory, 64 << 20);
    var transaction = TestTransaction.of(database).insert(large(0));
    assertThat(database.database().sorting().budget().taken()).isGreaterThan(2 * DOCUMENT_BYTES);
    transaction.abort();
    assertThat(database.database().sorting().budget().taken()).isZero();
  }
}
