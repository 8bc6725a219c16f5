package dev.wisent.database.changestream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.wisent.bson.RawDocument;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitersTest {
  private final ReentrantLock lock = new ReentrantLock();
  private final Waiters waiters = new Waiters();

  @BeforeEach
  void lock() {
    lock.lock();
  }

  @AfterEach
  void unlock() {
    lock.unlock();
  }

  private Waiters.Waiter waiter(String database, String collection) {
    return waiters.add(new StreamScope(database, collection, false), lock.newCondition());
  }

  private void wake(String entry) {
    waiters.wake(TailEntry.of(1, 1, RawDocument.parse(entry)));
  }

  @Test
  void anEntryWakesThoseThatItMayConcern() {
    Waiters.Waiter same = waiter("db", "c");
    Waiters.Waiter alsoSame = waiter("db", "c");
    Waiters.Waiter other = waiter("db", "d");
    Waiters.Waiter ofDatabase = waiter("db", null);
    Waiters.Waiter ofOtherDatabase = waiter("other", null);
    Waiters.Waiter ofAll = waiter(null, null);
    wake("{op: 'i', ns: 'db.c'}");
    assertThat(same.isWoken()).isTrue();
    assertThat(alsoSame.isWoken()).isTrue();
    assertThat(other.isWoken()).isFalse();
    assertThat(ofDatabase.isWoken()).isTrue();
    assertThat(ofOtherDatabase.isWoken()).isFalse();
    assertThat(ofAll.isWoken()).isTrue();
  }

  @Test
  void aNoteWakesNone() {
    Waiters.Waiter ofAll = waiter(null, null);
    wake("{op: 'n', ns: '', o: {msg: 'periodic noop'}}");
    assertThat(ofAll.isWoken()).isFalse();
  }

  @Test
  void aChangeOfADefinitionWakesAll() {
    Waiters.Waiter other = waiter("db", "d");
    wake("{op: 'c', ns: 'db.$cmd', o: {drop: 'c'}}");
    assertThat(other.isWoken()).isTrue();
  }

  @Test
  void whatIsRemovedIsNotWoken() {
    Waiters.Waiter first = waiter("db", "c");
    Waiters.Waiter second = waiter("db", "c");
    waiters.remove(first);
    wake("{op: 'i', ns: 'db.c'}");
    assertThat(first.isWoken()).isFalse();
    assertThat(second.isWoken()).isTrue();
  }
}
