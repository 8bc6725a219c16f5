package dev.wisent.bench.workload;

import dev.wisent.bench.data.SeededText;
import dev.wisent.bench.data.YcsbRecords;
import dev.wisent.bench.store.Session;
import dev.wisent.bench.store.StoreException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Binds YCSB's operations to a session. Keys and fields are YCSB's; the values are ours, since
 * YCSB's cannot be seeded. Failures are thrown, because YCSB's workload ignores the status.
 */
final class YcsbClient extends DB {
  private final Session session;
  private final YcsbRecords records;
  private final SplittableRandom random;

  YcsbClient(Session session, YcsbRecords records, SplittableRandom random) {
    this.session = session;
    this.records = records;
    this.random = random;
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    require(session.read(table, key), key);
    return Status.OK;
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    // The start key exists, so there is at least one; near the end there are fewer than asked for.
    require(session.scanFrom(table, startKey, count) > 0, startKey);
    return Status.OK;
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    for (String field : values.keySet()) {
      String value = SeededText.characters(random, YcsbRecords.FIELD_CHARS);
      require(session.setField(table, key, field, value), key);
    }
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    session.insert(table, records.record(key));
    return Status.OK;
  }

  @Override
  public Status delete(String table, String key) {
    throw new UnsupportedOperationException("no core workload deletes");
  }

  private static void require(boolean found, String key) {
    if (!found) {
      throw new StoreException("record " + key + " was not found");
    }
  }
}
