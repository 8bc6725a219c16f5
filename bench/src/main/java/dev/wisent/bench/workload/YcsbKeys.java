package dev.wisent.bench.workload;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.Consumer;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Listens to YCSB's load phase for the keys; we write the records ourselves, in batches. */
final class YcsbKeys extends DB {
  private final Consumer<String> keys;

  YcsbKeys(Consumer<String> keys) {
    this.keys = keys;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    keys.accept(key);
    return Status.OK;
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    throw new UnsupportedOperationException("a load does not read");
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    throw new UnsupportedOperationException("a load does not scan");
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    throw new UnsupportedOperationException("a load does not update");
  }

  @Override
  public Status delete(String table, String key) {
    throw new UnsupportedOperationException("a load does not delete");
  }
}
