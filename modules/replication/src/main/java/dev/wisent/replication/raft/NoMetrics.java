package dev.wisent.replication.raft;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Ratis asks for a registry of its figures. They are not read here, so they are dropped. It finds
 * this class by its name in {@code META-INF/services}.
 */
public final class NoMetrics extends MetricRegistries {
  private record Registry(MetricRegistryInfo info) implements RatisMetricRegistry {
    @Override
    public Timekeeper timer(String name) {
      return () -> () -> 0;
    }

    @Override
    public LongCounter counter(String name) {
      return new NoCounter();
    }

    @Override
    public boolean remove(String name) {
      return true;
    }

    @Override
    public <T> void gauge(String name, Supplier<Supplier<T>> gauge) {}

    @Override
    public MetricRegistryInfo getMetricRegistryInfo() {
      return info;
    }
  }

  private static final class NoCounter implements LongCounter {
    @Override
    public void inc(long n) {}

    @Override
    public void dec(long n) {}

    @Override
    public long getCount() {
      return 0;
    }
  }

  @Override
  public void clear() {}

  @Override
  public RatisMetricRegistry create(MetricRegistryInfo info) {
    return new Registry(info);
  }

  @Override
  public boolean remove(MetricRegistryInfo info) {
    return true;
  }

  @Override
  public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
    return Optional.empty();
  }

  @Override
  public Set<MetricRegistryInfo> getMetricRegistryInfos() {
    return Set.of();
  }

  @Override
  public Collection<RatisMetricRegistry> getMetricRegistries() {
    return List.of();
  }

  @Override
  public void addReporterRegistration(
      Consumer<RatisMetricRegistry> start, Consumer<RatisMetricRegistry> stop) {}

  @Override
  public void enableJmxReporter() {}

  @Override
  public void enableConsoleReporter(TimeDuration rate) {}
}
