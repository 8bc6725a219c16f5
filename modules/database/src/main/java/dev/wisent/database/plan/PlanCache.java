package dev.wisent.database.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.wisent.base.Limits;
import dev.wisent.bson.RawDocument;
import java.util.List;

/**
 * Which plans have won races, by the shape of the query and the indexes it can use. Thread-safe.
 *
 * <p>A first win is only noted: the entry is inactive, and the next such query is raced again. If
 * that race is decided in no more works, the entry becomes active and spares later queries the
 * race; if it takes more, the note is made more generous. A plan that is used from here and turns
 * out to take many times its works makes its entry inactive again.
 */
public final class PlanCache {
  /** By how much an inactive entry grows that was too strict. */
  private static final int WORKS_GROWTH = 2;

  private final Cache<String, Entry> entries =
      Caffeine.newBuilder()
          .maximumSize(Limits.PLAN_CACHE_ENTRIES_MAX)
          .executor(Runnable::run)
          .build();

  /**
   * What is remembered for a shape.
   *
   * @param key what stands for the shape and the indexes
   * @param query the query of the race; only its sources are of interest
   * @param active whether queries use it instead of a race
   * @param works how many works decided the race
   * @param createdMillis when, in wall-clock time
   * @param plan what the winner looks like; see {@link PlanOutline}
   * @param candidates who took part, the winner first
   */
  public record Entry(
      String key,
      QueryShape shape,
      RawDocument query,
      RawDocument sort,
      RawDocument projection,
      boolean indexFilterSet,
      boolean active,
      long works,
      long createdMillis,
      String plan,
      List<PlanCandidate> candidates) {
    public Entry {
      candidates = List.copyOf(candidates);
    }

    /** Eight hex digits by which explain and others name the entry. */
    public String hash() {
      return QueryShape.hash(key);
    }

    private Entry with(boolean nowActive, long newWorks) {
      return new Entry(
          key,
          shape,
          query,
          sort,
          projection,
          indexFilterSet,
          nowActive,
          newWorks,
          createdMillis,
          plan,
          candidates);
    }
  }

  /** The entry that a query can use instead of a race; null if there is none. */
  public Entry findActive(String key) {
    Entry entry = entries.getIfPresent(key);
    return entry != null && entry.active() ? entry : null;
  }

  /** Notes who won a race; {@code won} is an inactive entry. */
  public void add(Entry won) {
    entries.asMap().compute(won.key(), (key, known) -> known == null ? won : update(known, won));
  }

  private static Entry update(Entry known, Entry won) {
    if (won.works() <= known.works()) {
      return won.with(true, won.works());
    }
    return known.active() ? known : known.with(false, known.works() * WORKS_GROWTH);
  }

  /** Has the next such query raced again. */
  public void deactivate(String key) {
    entries.asMap().computeIfPresent(key, (same, known) -> known.with(false, known.works()));
  }

  public List<Entry> entries() {
    return List.copyOf(entries.asMap().values());
  }

  /** Forgets all plans. */
  public void clear() {
    entries.invalidateAll();
  }

  /** Forgets the plans for one shape. */
  public void clear(QueryShape shape) {
    entries.asMap().values().removeIf(entry -> entry.shape().equals(shape));
  }
}
