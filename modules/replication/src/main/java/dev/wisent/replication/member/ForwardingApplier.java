package dev.wisent.replication.member;

import dev.wisent.replication.OpTime;
import dev.wisent.replication.raft.LogApplier;
import dev.wisent.storage.LogPosition;
import dev.wisent.storage.Mutation;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

/** An applier in front of another one: what it does not change is forwarded. */
abstract class ForwardingApplier implements LogApplier {
  /** The applier that calls go to. */
  abstract LogApplier inner();

  @Override
  public LogPosition applied() {
    return inner().applied();
  }

  @Override
  public long seenIndex() {
    return inner().seenIndex();
  }

  @Override
  public OpTime newest() {
    return inner().newest();
  }

  @Override
  public void awaitDue(List<Mutation> mutations, BooleanSupplier stopped) {
    inner().awaitDue(mutations, stopped);
  }

  @Override
  public void reaching(long timestamp) {
    inner().reaching(timestamp);
  }

  @Override
  public void apply(List<Applied> mutations, LogPosition position) {
    inner().apply(mutations, position);
  }

  @Override
  public void enter(LogPosition position) {
    inner().enter(position);
  }

  @Override
  public LogPosition flush() {
    return inner().flush();
  }

  @Override
  public LogPosition checkpoint(Path target) {
    return inner().checkpoint(target);
  }

  @Override
  public LogPosition outline(Path target) {
    return inner().outline(target);
  }

  @Override
  public boolean keepsData() {
    return inner().keepsData();
  }

  @Override
  public boolean hasRoom() {
    return inner().hasRoom();
  }

  @Override
  public void recover() {
    inner().recover();
  }

  @Override
  public void install(Path directory) {
    inner().install(directory);
  }
}
