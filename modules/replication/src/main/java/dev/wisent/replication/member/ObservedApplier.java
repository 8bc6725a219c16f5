package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.LogPosition;
import java.nio.file.Path;
import java.util.List;

/**
 * An applier that tells this member what becomes of the store. It stands next to the store: behind
 * those that hold back or leave out some of what is in the log.
 */
public final class ObservedApplier extends ForwardingApplier {
  private final LogApplier inner;
  private final ApplyObserver observer;

  public ObservedApplier(LogApplier inner, ApplyObserver observer) {
    this.inner = inner;
    this.observer = observer;
  }

  @Override
  LogApplier inner() {
    return inner;
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
  public void enter(LogPosition position) {
    inner.enter(position);
    observer.applied();
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
