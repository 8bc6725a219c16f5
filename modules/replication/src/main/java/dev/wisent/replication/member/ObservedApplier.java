package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.LogPosition;
import java.nio.file.Path;
import java.util.List;

/**
 * An applier that tells this member what becomes of the store. It stands next to the store: behind
 * those that hold back or leave out some of what is in the log.
 */
public final class ObservedApplier implements LogApplier {
  private final LogApplier inner;
  private final ApplyObserver observer;

  public ObservedApplier(LogApplier inner, ApplyObserver observer) {
    this.inner = inner;
    this.observer = observer;
  }

  @Override
  public LogPosition applied() {
    return inner.applied();
  }

  @Override
  public long seenIndex() {
    return inner.seenIndex();
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    observer.applying(mutations);
    try {
      inner.apply(mutations, position);
    } catch (RuntimeException | Error e) {
      observer.unsure();
      throw e;
    }
    observer.applied();
  }

  @Override
  public LogPosition flush() {
    return inner.flush();
  }

  @Override
  public LogPosition checkpoint(Path target) {
    return inner.checkpoint(target);
  }

  @Override
  public LogPosition outline(Path target) {
    return inner.outline(target);
  }

  @Override
  public boolean keepsData() {
    return inner.keepsData();
  }

  @Override
  public boolean hasRoom() {
    return inner.hasRoom();
  }

  @Override
  public void recover() {
    observer.unsure();
    inner.recover();
    observer.applied();
  }

  @Override
  public void install(Path directory) {
    observer.unsure();
    inner.install(directory);
    observer.applied();
  }
}
