package dev.wisent.storage;

import dev.wisent.base.loop.BackgroundLoops;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/** An engine with its log, for tests. */
record Store(StorageEngine engine, LocalCommitLog log) implements AutoCloseable {
  static Store open(Path dbPath) {
    return open(options(dbPath));
  }

  static Store open(StorageOptions options) {
    StorageEngine engine = StorageEngine.open(options);
    return new Store(engine, LocalCommitLog.start(engine, BackgroundLoops.silent()));
  }

  static StorageOptions options(Path dbPath) {
    return StorageOptions.defaults(dbPath).withCacheBytes(8 << 20).withWriteBufferBytes(1 << 20);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  CommitFuture commit(Consumer<MutationBuilder> changes) {
    MutationBuilder builder = new MutationBuilder();
    changes.accept(builder);
    return log.submit(builder.build());
  }

  CommitFuture put(Keyspace keyspace, String key, String value) {
    return commit(changes -> changes.put(keyspace, bytes(key), bytes(value)));
  }

  String get(Keyspace keyspace, String key) {
    return text(engine.get(keyspace, bytes(key)));
  }

  @Override
  public void close() {
    log.close();
    engine.close();
  }
}
