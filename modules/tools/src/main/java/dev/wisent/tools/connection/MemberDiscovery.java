package dev.wisent.tools.connection;

import com.mongodb.connection.ClusterDescription;
import com.mongodb.connection.ServerDescription;
import com.mongodb.connection.ServerType;
import com.mongodb.event.ClusterDescriptionChangedEvent;
import com.mongodb.event.ClusterListener;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Knows when the driver has tried every member of a set. Until then it chooses among those that
 * have answered, and a read preference such as {@code secondaryPreferred} takes the primary if that
 * is the first. Thread-safe.
 */
final class MemberDiscovery implements ClusterListener {
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean complete; // guarded by lock

  @Override
  public void clusterDescriptionChanged(ClusterDescriptionChangedEvent event) {
    lock.lock();
    try {
      complete = isComplete(event.getNewDescription());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Members that the driver has just heard of are in the description as unknown. */
  private static boolean isComplete(ClusterDescription cluster) {
    List<ServerDescription> servers = cluster.getServerDescriptions();
    return !servers.isEmpty() && servers.stream().allMatch(MemberDiscovery::isTried);
  }

  private static boolean isTried(ServerDescription server) {
    return server.getType() != ServerType.UNKNOWN || server.getException() != null;
  }

  /** Waits until every member has answered or failed; false if the time is over. */
  boolean await(long millis) {
    lock.lock();
    try {
      long rest = TimeUnit.MILLISECONDS.toNanos(millis);
      while (!complete && rest > 0) {
        rest = changed.awaitNanos(rest);
      }
      return complete;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }
}
