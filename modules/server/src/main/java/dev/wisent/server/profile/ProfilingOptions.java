package dev.wisent.server.profile;

import java.util.Optional;

/**
 * What a server is started with; the profile command changes it.
 *
 * @param level of databases for which nothing else was said
 * @param slowMillis from how long on an operation is slow
 * @param sampleRate which part of the slow operations is reported, from 0 to 1
 * @param filter a query, as JSON, that decides in place of the time
 */
public record ProfilingOptions(
    int level, int slowMillis, double sampleRate, Optional<String> filter) {
  public static final ProfilingOptions DEFAULTS = new ProfilingOptions(0, 100, 1, Optional.empty());
}
