package dev.wisent.operation.backup;

import java.util.List;

/**
 * The state that a backup has fixed.
 *
 * @param id what it is read under
 * @param format of the data directory that its files make
 * @param term of the last entry of the replicated log; 0 without a log
 * @param index of that entry; -1 without a log
 * @param timestamp the cluster time of the newest oplog entry; 0 without an oplog
 */
public record OpenBackup(
    long id, int format, long term, long index, long timestamp, List<BackupFile> files) {}
