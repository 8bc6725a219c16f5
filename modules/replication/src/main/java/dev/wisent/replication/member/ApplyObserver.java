package dev.wisent.replication.member;

import dev.wisent.replication.raft.LogApplier.Applied;
import java.util.List;

/** Sees what is applied to the store, on the applying thread: it has to be quick. */
public interface ApplyObserver {
  /** These are about to be written: from now on readers may see them. */
  void applying(List<Applied> mutations);

  /** What was about to be written is there. */
  void applied();

  /** It is unknown what is there: writing failed, or other contents are about to come. */
  void unsure();
}
