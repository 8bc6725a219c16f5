package dev.wisent.pipeline.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.wisent.base.CommandException;
import dev.wisent.base.ErrorCode;
import dev.wisent.bson.BsonBuilder;
import dev.wisent.bson.RawDocument;
import dev.wisent.query.interrupt.WorkMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DocumentLogTest {
  private final MemoryScratch scratch = new MemoryScratch();
  private final SortSpace space = new SortSpace(1000, scratch, WorkMeter.unchecked());
  private final Random random = new Random(Long.getLong("wisent.seed", 1));

  private RawDocument document(int id) {
    int length = random.nextInt(20) == 0 ? random.nextInt(600_000) : random.nextInt(3000);
    return new BsonBuilder()
        .appendInt32("_id", id)
        .appendString("t", "x".repeat(length))
        .toDocument();
  }

  @Test
  void findsDocumentsInMemoryAndInFiles() {
    var log = new DocumentLog(space);
    var documents = new ArrayList<RawDocument>();
    var positions = new ArrayList<Long>();
    for (int i = 0; i < 300; i++) {
      documents.add(document(i));
      positions.add(log.add(documents.getLast()));
      if (i == 100) {
        check(log, documents, positions);
        assertThat(scratch.created()).isZero();
        long before = log.memoryBytes();
        log.spill();
        assertThat(log.memoryBytes()).isLessThan(before);
      }
    }
    assertThat(positions).isSorted().doesNotHaveDuplicates();
    check(log, documents, positions);
    assertThat(log.count()).isEqualTo(300);
    assertThat(scratch.openFiles()).isEqualTo(1);
    log.close();
    assertThat(scratch.openFiles()).isZero();
  }

  private void check(DocumentLog log, List<RawDocument> documents, List<Long> positions) {
    for (int i = 0; i < documents.size(); i++) {
      int at = random.nextInt(documents.size());
      assertThat(log.read(positions.get(at))).isEqualTo(documents.get(at));
    }
    DocumentLog.Reader reader = log.reader();
    for (RawDocument document : documents) {
      assertThat(reader.next()).isEqualTo(document);
    }
    assertThat(reader.next()).isNull();
    assertThat(reader.next()).isNull();
  }

  @Test
  void isEmptyAtFirst() {
    assertThat(new DocumentLog(space).reader().next()).isNull();
  }

  @Test
  void noticesDamage() {
    var log = new DocumentLog(space);
    long first = log.add(document(1));
    while (log.memoryBytes() < 1_000_000) {
      log.add(document(2));
    }
    log.spill();
    scratch.damage(12);
    assertThatThrownBy(() -> log.read(first)).isInstanceOf(CommandException.class);
    assertThatThrownBy(() -> log.reader().next())
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERNAL_ERROR));
  }

  @Test
  void needsFilesToSpill() {
    var log = new DocumentLog(SortSpace.inMemory());
    log.add(document(1));
    assertThatThrownBy(log::spill).isInstanceOf(CommandException.class);
  }
}
