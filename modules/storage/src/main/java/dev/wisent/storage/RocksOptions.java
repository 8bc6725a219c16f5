package dev.wisent.storage;

import java.util.ArrayList;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DataBlockIndexType;
import org.rocksdb.Filter;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.RocksDB;
import org.rocksdb.UInt64AddOperator;
import org.rocksdb.WALRecoveryMode;

/** RocksDB's settings, and the native objects they are made of. Close after the database. */
final class RocksOptions implements AutoCloseable {
  private static final long MIB = 1L << 20;
  private static final int BLOCK_BYTES = 16 << 10;

  /** Keyspaces with few changes get small memtables. */
  private static final long SMALL_WRITE_BUFFER_BYTES = 8 * MIB;

  /**
   * The log is replayed at start after a crash; this bounds the time that takes, by flushing the
   * keyspace with the oldest unflushed change when the log grows beyond it.
   */
  private static final long LOG_BYTES_MAX = 256 * MIB;

  /**
   * Logs that are written over instead of deleted. Syncing a file that neither grows nor gets new
   * blocks takes a third of the time and a fifth of the CPU.
   */
  private static final int RECYCLED_LOGS = 4;

  /**
   * Fresh files are not compressed, for they are soon read again and merged into the next level.
   * Zstandard there makes a bulk load a tenth dearer; LZ4 is as close to MongoDB's default as can
   * be.
   */
  private static final List<CompressionType> COMPRESSION =
      List.of(CompressionType.NO_COMPRESSION, CompressionType.LZ4_COMPRESSION);

  /** About 13 bits a key in a memtable of index entries. */
  private static final double MEMTABLE_FILTER_RATIO = 0.02;

  private final Cache cache;
  private final Filter filter = new BloomFilter(10, false);
  private final UInt64AddOperator counters = new UInt64AddOperator();
  private final NoRecovery noRecovery = new NoRecovery();
  private final DBOptions database;
  private final List<ColumnFamilyOptions> families = new ArrayList<>();

  RocksOptions(StorageOptions options) {
    cache = new LRUCache(options.cacheBytes());
    database = databaseOptions(options).setListeners(List.of(noRecovery));
  }

  Cache cache() {
    return cache;
  }

  DBOptions database() {
    return database;
  }

  /** RocksDB's default family first, then the keyspaces in the order of their ids. */
  List<ColumnFamilyDescriptor> descriptors(StorageOptions options) {
    List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
    descriptors.add(
        new ColumnFamilyDescriptor(
            RocksDB.DEFAULT_COLUMN_FAMILY,
            familyOptions(SMALL_WRITE_BUFFER_BYTES, tableOptions())));
    for (Keyspace keyspace : Keyspace.values()) {
      descriptors.add(
          new ColumnFamilyDescriptor(keyspace.familyNameBytes(), familyOptions(keyspace, options)));
    }
    return descriptors;
  }

  /** The settings of a keyspace, once there are {@link #descriptors}. */
  ColumnFamilyOptions family(Keyspace keyspace) {
    return families.get(keyspace.ordinal() + 1);
  }

  private ColumnFamilyOptions familyOptions(Keyspace keyspace, StorageOptions options) {
    long large = options.writeBufferBytes();
    long small = Math.min(large, SMALL_WRITE_BUFFER_BYTES);
    return switch (keyspace) {
      // Records are got by ids that came from an index, so nearly all gets are hits and a filter on
      // the last level only costs (8 %). Few records fit a block: with more restart points fewer
      // values are stepped over (9 %).
      case RECORDS ->
          familyOptions(large, tableOptions().setBlockRestartInterval(4))
              .setOptimizeFiltersForHits(true);
      // Many short keys fit a block: hashing finds the right one 10 % cheaper than searching.
      case INDEX ->
          familyOptions(
              large,
              tableOptions().setDataBlockIndexType(DataBlockIndexType.kDataBlockBinaryAndHash));
      case OPLOG -> familyOptions(large, tableOptions());
      case CATALOG, SYSTEM -> familyOptions(small, tableOptions());
    };
  }

  private static DBOptions databaseOptions(StorageOptions options) {
    return new DBOptions()
        .setCreateIfMissing(true)
        .setCreateMissingColumnFamilies(true)
        .setParanoidChecks(true)
        // Not needed where every change is in the log. Under a replicated log what a flush leaves
        // is all there is after a crash, so it has to be one state of all keyspaces.
        .setAtomicFlush(options.replicatedLog())
        .setMaxOpenFiles(-1)
        .setMaxBackgroundJobs(2)
        .setBytesPerSync(MIB)
        // Threads that write together would wake each other twice, to share work that takes one of
        // them less time than that.
        .setAllowConcurrentMemtableWrite(false)
        .setMaxTotalWalSize(LOG_BYTES_MAX)
        // RocksDB refuses changes past the log otherwise.
        .setRecycleLogFileNum(options.replicatedLog() ? 0 : RECYCLED_LOGS)
        // Reads the log up to the first record that is not whole. SyncMark knows whether that is
        // where it was cut off, or whether it is damaged.
        .setWalRecoveryMode(WALRecoveryMode.PointInTimeRecovery)
        .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
        .setKeepLogFileNum(4)
        .setMaxLogFileSize(8 * MIB)
        .setStatsDumpPeriodSec(0)
        .setStatsPersistPeriodSec(0);
  }

  private BlockBasedTableConfig tableOptions() {
    return new BlockBasedTableConfig()
        .setBlockCache(cache)
        .setBlockSize(BLOCK_BYTES)
        .setFormatVersion(6)
        .setFilterPolicy(filter)
        .setWholeKeyFiltering(true)
        .setCacheIndexAndFilterBlocks(true)
        .setCacheIndexAndFilterBlocksWithHighPriority(true)
        .setPinL0FilterAndIndexBlocksInCache(true);
  }

  private ColumnFamilyOptions familyOptions(long writeBufferBytes, BlockBasedTableConfig table) {
    ColumnFamilyOptions family =
        new ColumnFamilyOptions()
            .setTableFormatConfig(table)
            .setMergeOperator(counters)
            .setWriteBufferSize(writeBufferBytes)
            .setMaxWriteBufferNumber(3)
            // A get that finds nothing in the memtable, which is most gets, is six times cheaper.
            .setMemtableWholeKeyFiltering(true)
            .setMemtablePrefixBloomSizeRatio(MEMTABLE_FILTER_RATIO)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setCompressionPerLevel(COMPRESSION);
    families.add(family);
    return family;
  }

  @Override
  public void close() {
    families.forEach(ColumnFamilyOptions::close);
    database.close();
    noRecovery.close();
    counters.close();
    filter.close();
    cache.close();
  }
}
