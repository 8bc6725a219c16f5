package dev.wisent.replication.member;

import dev.wisent.base.Clock;
import dev.wisent.replication.Heartbeat;
import dev.wisent.replication.MemberView;
import dev.wisent.replication.OpTime;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What this member knows of the others, by {@code _id}. */
final class OtherMembers {
  private final Clock clock;
  private final Progress progress;
  private final Map<Integer, MemberView> views = new ConcurrentHashMap<>();

  OtherMembers(Clock clock, Progress progress) {
    this.clock = clock;
    this.progress = progress;
  }

  MemberView view(int memberId) {
    return views.getOrDefault(memberId, MemberView.UNKNOWN);
  }

  void asked(int memberId) {
    views.merge(
        memberId,
        MemberView.UNKNOWN.heardAt(clock.wallMillis()),
        (view, ignored) -> view.heardAt(clock.wallMillis()));
  }

  /** Returns whether the answer tells of another state, log or address than before. */
  boolean answered(int memberId, Heartbeat.Response response, long askedMillis, long pingMillis) {
    MemberView before = view(memberId);
    boolean anew =
        before.answer() != null && !Objects.equals(before.answer().peerId(), response.peerId());
    MemberView after =
        views.compute(
            memberId,
            (id, view) -> {
              MemberView base = view == null ? MemberView.UNKNOWN : view;
              return (anew ? base.withoutPosition() : base)
                  .answered(response, clock.monotonicNanos(), askedMillis, pingMillis);
            });
    boolean changed = anew || before.answer() == null || before.state() != after.state();
    if (changed || !after.applied().equals(before.applied())) {
      progress.made();
    }
    return changed;
  }

  /** Returns whether it answered before. */
  boolean failed(int memberId, long askedMillis, String why) {
    MemberView before = view(memberId);
    views.compute(
        memberId,
        (id, view) -> (view == null ? MemberView.UNKNOWN : view).failed(askedMillis, why));
    return before.isUp();
  }

  void applied(int memberId, OpTime position) {
    MemberView before = view(memberId);
    views.compute(
        memberId, (id, view) -> (view == null ? MemberView.UNKNOWN : view).applied(position));
    if (position.compareTo(before.applied()) > 0) {
      progress.made();
    }
  }

  /** Forgets those that are gone. */
  void retain(Set<Integer> memberIds) {
    views.keySet().retainAll(memberIds);
  }
}
