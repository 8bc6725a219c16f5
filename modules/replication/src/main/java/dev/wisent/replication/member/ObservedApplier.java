package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.LogPosition;
import java.nio.file.Path;
import java.util.List;

/**
 * An applier that tells this member when something was applied. The log is made before the database
 * that it is applied to, which needs the log: so the real applier comes later, but before the log
 * is started.
 */
public final class ObservedApplier implements LogApplier {
  private volatile LogApplier inner;
  private volatile Runnable afterApply = () -> {};

  public void applyTo(LogApplier applier) {
    inner = applier;
  }

  /** Whom to tell. He is told on the applying thread, so he has to be quick. */
  public void afterApply(Runnable listener) {
    afterApply = listener;
  }

  @Override
  public LogPosition applied() {
    return inner.applied();
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    inner.apply(mutations, position);
    afterApply.run();
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
  public void install(Path directory) {
    inner.install(directory);
    afterApply.run();
  }
}
