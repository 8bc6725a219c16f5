package dev.wisent.server.node;

import dev.wisent.base.Clock;
import dev.wisent.base.RandomSource;
import dev.wisent.server.ServerOptions;
import dev.wisent.server.failpoint.FailPoints;
import dev.wisent.server.profile.ProfileSettings;

/** What clients change while a server runs, and an embedded server takes back between tests. */
record ChangeableSettings(FailPoints failPoints, ProfileSettings profiling) {
  static ChangeableSettings of(ServerOptions options, Clock clock, RandomSource random) {
    return new ChangeableSettings(
        new FailPoints(), new ProfileSettings(options.profiling(), clock, random));
  }

  void reset() {
    failPoints.clear();
    profiling.reset();
  }
}
