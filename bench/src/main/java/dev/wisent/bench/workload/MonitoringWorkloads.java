package dev.wisent.bench.workload;

import static dev.wisent.bench.workload.LoopWorkload.expect;

import dev.wisent.bench.data.MonitoringSamples;
import dev.wisent.bench.store.CollectionSpec;
import dev.wisent.bench.store.Durability;
import dev.wisent.bench.store.Filter;
import dev.wisent.bench.store.Filter.Between;
import dev.wisent.bench.store.Filter.Equal;
import dev.wisent.bench.store.Session;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The questions that are asked of what monitoring has measured: one host, a span of time, both, and
 * how many samples a host has sent on a day.
 */
final class MonitoringWorkloads {
  private static final int MINUTES = 10;
  private static final int HOST_MINUTES = 60;

  private MonitoringWorkloads() {}

  static List<Workload> all() {
    CollectionSpec loaded =
        new CollectionSpec("monitoring_load", Dataset.MONITORING.spec().indexes());
    return List.of(
        new BulkLoadWorkload("monitoring-load", loaded, Dataset.MONITORING::document),
        workload(
            "monitoring-host",
            "all samples of a host",
            Dataset.MONITORING,
            MonitoringWorkloads::host),
        workload(
            "monitoring-dates",
            "all samples of " + MINUTES + " minutes",
            Dataset.MONITORING,
            MonitoringWorkloads::dates),
        workload(
            "monitoring-host-dates",
            "a host's samples of an hour, by an index on host and date",
            Dataset.MONITORING,
            MonitoringWorkloads::hostAndDates),
        workload(
            "monitoring-dates-host",
            "the same by an index on date and host",
            Dataset.MONITORING_BY_DATE,
            MonitoringWorkloads::hostAndDates),
        workload(
            "monitoring-daily",
            "count of a host's samples of a day",
            Dataset.MONITORING,
            MonitoringWorkloads::daily));
  }

  private static Workload workload(
      String name, String summary, Dataset dataset, LoopWorkload.Step step) {
    return new LoopWorkload(name, summary, Durability.READ_ONLY, dataset, step);
  }

  private static void host(
      Session session, String collection, long records, SplittableRandom random) {
    var samples = new MonitoringSamples(0, records);
    int host = random.nextInt(samples.hosts());
    var filter = Filter.of(new Equal(Fields.HOST, MonitoringSamples.host(host)));
    expect(samples.minutes(host), session.find(collection, filter));
  }

  private static void dates(
      Session session, String collection, long records, SplittableRandom random) {
    var samples = new MonitoringSamples(0, records);
    long first = random.nextLong(Math.max(1, samples.minutes(0) - MINUTES + 1));
    var filter = Filter.of(between(first, first + MINUTES));
    expect(samples.samples(first, first + MINUTES), session.find(collection, filter));
  }

  private static void hostAndDates(
      Session session, String collection, long records, SplittableRandom random) {
    var samples = new MonitoringSamples(0, records);
    int host = random.nextInt(samples.hosts());
    long size = Math.min(HOST_MINUTES, samples.minutes(host));
    long first = random.nextLong(samples.minutes(host) - size + 1);
    var filter =
        Filter.of(
            new Equal(Fields.HOST, MonitoringSamples.host(host)), between(first, first + size));
    expect(size, session.find(collection, filter));
  }

  private static void daily(
      Session session, String collection, long records, SplittableRandom random) {
    var samples = new MonitoringSamples(0, records);
    int host = random.nextInt(samples.hosts());
    long minutes = samples.minutes(host);
    long first =
        random.nextLong((minutes - 1) / MonitoringSamples.MINUTES_A_DAY + 1)
            * MonitoringSamples.MINUTES_A_DAY;
    long end = first + MonitoringSamples.MINUTES_A_DAY;
    var filter =
        Filter.of(new Equal(Fields.HOST, MonitoringSamples.host(host)), between(first, end));
    expect(Math.min(end, minutes) - first, session.count(collection, filter));
  }

  private static Between between(long fromMinute, long toMinute) {
    return new Between(
        Fields.GENERATED_ON,
        MonitoringSamples.timeOfMinute(fromMinute),
        MonitoringSamples.timeOfMinute(toMinute));
  }
}
