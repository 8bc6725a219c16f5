package dev.wisent.bench.data;

import java.util.SplittableRandom;

/**
 * What a monitoring system stores: every minute each host reports one value. Sample {@code n} is of
 * host {@code n % hosts} in minute {@code n / hosts}, so that samples arrive in the order of time.
 * A million of them are a week of 100 hosts.
 */
public final class MonitoringSamples {
  public static final String HOST = "Host";
  public static final String GENERATED_ON = "GeneratedOn";
  public static final int MINUTES_A_DAY = 24 * 60;

  private static final int HOSTS_MAX = 100;
  private static final long MINUTE_MILLIS = 60_000;

  /** The beginning of 1 January 2024, UTC. */
  private static final long START_MILLIS = 1_704_067_200_000L;

  private static final String[] PARAMETERS = {
    "cpu.user", "cpu.system", "memory.used", "disk.reads", "disk.writes", "net.in", "net.out"
  };

  private final long seed;
  private final long records;

  public MonitoringSamples(long seed, long records) {
    this.seed = seed;
    this.records = records;
  }

  /** How many hosts there are. */
  public int hosts() {
    return (int) Math.min(HOSTS_MAX, records);
  }

  public static String host(int number) {
    return "host-%03d".formatted(number);
  }

  /** How many minutes a host has reported in. */
  public long minutes(int host) {
    return (records - host - 1) / hosts() + 1;
  }

  /** How many samples there are in the minutes from one to before another. */
  public long samples(long fromMinute, long toMinute) {
    return Math.min(records, toMinute * hosts()) - Math.min(records, fromMinute * hosts());
  }

  public static long timeOfMinute(long minute) {
    return START_MILLIS + minute * MINUTE_MILLIS;
  }

  public BenchDocument document(long number) {
    return new Sample(number);
  }

  private final class Sample implements BenchDocument {
    private final long number;

    Sample(long number) {
      this.number = number;
    }

    @Override
    public String id() {
      return DocumentGenerator.id(number);
    }

    @Override
    public void writeFields(FieldSink sink) {
      SplittableRandom random = SeededText.random(seed, number);
      sink.string(HOST, host((int) (number % hosts())));
      sink.date(GENERATED_ON, timeOfMinute(number / hosts()));
      sink.string("ParameterName", PARAMETERS[random.nextInt(PARAMETERS.length)]);
      sink.float64("Value", random.nextInt(100_000) / 1000.0);
    }
  }
}
